#!/bin/sh
# The shipped model from nothing: render, train, export, fit the trust, measure, write the card's tables.
# Takes most of a day on two cores; every step goes on where it stopped. Photographs are needed from the second step on:
# PIETJESOOG_REFERENCE names the folder that holds photos/learn and photos/measure.
#
#   sh models/recipe.sh [WORK]        WORK: where pictures and checkpoints go (default work/recipe, ignored by git)
set -eu
cd "$(dirname "$0")/.."
WORK=${1:-work/recipe}
PYTHON=${PYTHON:-.venv/bin/python}
LEARN=${PIETJESOOG_REFERENCE:?the folder with photos/ that the trust is fitted on}/photos/learn
MEASURE=$PIETJESOOG_REFERENCE/photos/measure
export OMP_NUM_THREADS=1 LP_NUM_THREADS=1

stills() { # kind, first seed, count, folder, further options
    kind=$1 seed=$2 count=$3 folder=$4
    shift 4
    "$PYTHON" -m models.render stills --kind "$kind" --seed "$seed" --count "$count" --out "$WORK/render/$folder" \
        "$@" --resume
}
sets() { for name in "$@"; do printf '%s ' "$WORK/render/$name"; done; }

{ stills closeup 10000 6200 closeup; stills board 0 660 board; } &
{ stills dense 300000 3150 dense; stills smallboard 200000 900 small; stills heaped 350000 2600 heaped; }
wait
# What the net for hands learns from.
{ stills closeup 620000 1040 closeup-more; stills board 600000 750 board-more; } &
{ stills dense 630000 1040 dense-more; stills smallboard 610000 300 small-more; stills heaped 640000 1040 heaped-more; }
wait
stills board 650000 2000 hands --size 320x240
# What no net is trained on: the trust is fitted on it.
stills heaped 370000 240 heaped-unseen; stills dense 380000 160 dense-unseen
stills board 390000 400 board-unseen; stills smallboard 392000 150 small-unseen
"$PYTHON" -m models.second stills --count 600 --seed 0 --out "$WORK/render/second" --resume # never trained on

PHOTOS="$LEARN/NikitaMensh__DiceWatcher $LEARN/N3VERS4YDIE__dice-recognition__lens_gray_overhead
    $LEARN/DamianTab__DiceDetection $LEARN/matteop65__Dice_Detection_Recognition $LEARN/skovy__tensorflow-dice-model
    $LEARN/chaseelliottpatterson__dice-reader $LEARN/Epanemu__GameDiceRecognition"
photos() { for folder in $PHOTOS; do printf '%s ' "$WORK/photos/$(basename "$folder")"; done; }

# What is rarer in a picture but matters at a table counts twice.
ALL=$(sets closeup board board dense dense heaped small small)
fit() { # which nets, minutes, where to begin, where to end, further sets
    which=$1 minutes=$2 start=$3 out=$4
    shift 4
    # shellcheck disable=SC2086  # a list of folders
    "$PYTHON" -m models.train "$which" --data $ALL "$@" ${start:+--start "$WORK/$start"} --out "$WORK/$out" \
        --minutes "$minutes" --seed 21 --resume
    mkdir -p "$WORK/model"
    "$PYTHON" -m models.train export --out "$WORK/$out" --to "$WORK/model"
}

# Hands are seen by a net of their own; without it nothing is read.
HANDS=$(sets closeup-more board-more dense-more small-more heaped-more hands hands hands)
(ALL=$HANDS; fit hands 26 "" train/hands)
# First renders alone. That reader tells where the tops are in photographs, and the next is fitted on both.
fit both 170 "" train/renders
# shellcheck disable=SC2046,SC2086  # lists of folders
{
    "$PYTHON" -m models.train photos $PHOTOS --out "$WORK/photos" --to "$WORK/model"
    fit both 60 train/renders train/photos $(photos)
    fit localiser 85 train/photos train/photos-finder $(photos)
    # What it still takes for dice in renders, where every die is known, counts four times.
    "$PYTHON" -m models.train ground $(sets board small) --out "$WORK/ground" --to "$WORK/model"
    "$PYTHON" -m models.train ground $(sets closeup) --every 8 --out "$WORK/ground" --to "$WORK/model"
    GROUND="$WORK/ground/board-ground $WORK/ground/small-ground $WORK/ground/closeup-ground"
    mkdir -p "$WORK/train/ground"
    cp "$WORK/train/photos-finder/finder.pt" "$WORK/train/ground/"
    fit reader 20 train/photos train/ground $(photos) $GROUND $GROUND $GROUND $GROUND
    # The second look has a deeper net of its own, which sees every top upright.
    fit upright 195 train/ground train/upright $(photos) $GROUND $GROUND
    (ALL=$HANDS; fit hands 20 train/hands train/hands-photos $(photos))
}

# Of photographs too only every twentieth, which no net was trained on.
"$PYTHON" -m models.train calibrate --most 45 --to "$WORK/model" \
    --renders "$LEARN"/NikitaMensh__DiceWatcher "$LEARN"/N3VERS4YDIE__dice-recognition__lens_gray_overhead \
    "$LEARN"/matteop65__Dice_Detection_Recognition "$LEARN"/Epanemu__GameDiceRecognition \
    "$WORK/render/closeup" "$WORK/render/board" "$WORK/render/dense" "$WORK/render/heaped" "$WORK/render/small" \
    --unseen "$WORK/render/heaped-unseen" "$WORK/render/dense-unseen" "$WORK/render/board-unseen" \
        "$WORK/render/small-unseen"
cp models/dice.md "$WORK/model/dice.md"
"$PYTHON" -m models.train evaluate --to "$WORK/model" --card "$WORK/model/dice.md" \
    --photos "$LEARN"/NikitaMensh__DiceWatcher "$LEARN"/N3VERS4YDIE__dice-recognition__lens_gray_overhead \
    "$LEARN"/DamianTab__DiceDetection "$LEARN"/matteop65__Dice_Detection_Recognition \
    "$LEARN"/skovy__tensorflow-dice-model "$MEASURE"/tomek-jankowiak__Dice_Detector \
    "$MEASURE"/MarceliJerzynski__DiceDetection "$MEASURE"/jungho-song-cse__openCV_Dice-Recognition \
    "$MEASURE"/madmagic007__PietjesBakVision "$MEASURE"/fudw__dice-detection-for-board-games \
    --renders "$WORK/render/closeup" "$WORK/render/board" "$WORK/render/dense" "$WORK/render/heaped" \
    "$WORK/render/small" \
    --second "$WORK/render/second"
echo "The model and its card are in $WORK/model; copy finder.onnx, dice.onnx, upright.onnx, hand.onnx, dice.md and silent.jpg to models/ to ship them."
