#!/bin/sh
# The shipped model from nothing: render, train, export, fit the trust, measure, write the card's tables.
# Takes most of a day on two cores; every step goes on where it stopped. Photographs are needed for the trust and the
# tables only: PIETJESOOG_REFERENCE names the folder that holds photos/learn and photos/measure.
#
#   sh models/recipe.sh [WORK]        WORK: where pictures and checkpoints go (default work/recipe, ignored by git)
set -eu
cd "$(dirname "$0")/.."
WORK=${1:-work/recipe}
PYTHON=${PYTHON:-.venv/bin/python}
LEARN=${PIETJESOOG_REFERENCE:?the folder with photos/ that the trust is fitted on}/photos/learn
MEASURE=$PIETJESOOG_REFERENCE/photos/measure
export OMP_NUM_THREADS=1 LP_NUM_THREADS=1

stills() { # kind, first seed, count, folder
    "$PYTHON" -m models.render stills --kind "$1" --seed "$2" --count "$3" --out "$WORK/render/$4" --resume
}
sets() { for name in "$@"; do printf '%s ' "$WORK/render/$name"; done; }

{ stills closeup 10000 6200 closeup; stills board 0 450 board; } &
{ stills dense 300000 2250 dense; stills smallboard 200000 350 small; }
wait

# What is rarer in a picture but matters at a table counts twice.
ALL=$(sets closeup board board dense dense small small)
# shellcheck disable=SC2086  # a list of folders
"$PYTHON" -m models.train both --data $ALL --out "$WORK/train" --minutes 170 --seed 21 --resume

mkdir -p "$WORK/model"
"$PYTHON" -m models.train export --out "$WORK/train" --to "$WORK/model"
"$PYTHON" -m models.train calibrate --most 60 --to "$WORK/model" \
    --photos "$LEARN"/NikitaMensh__DiceWatcher "$LEARN"/N3VERS4YDIE__dice-recognition__lens_gray_overhead \
    "$LEARN"/matteop65__Dice_Detection_Recognition \
    --renders "$WORK/render/closeup" "$WORK/render/board" "$WORK/render/dense" "$WORK/render/small"
cp models/dice.md "$WORK/model/dice.md"
"$PYTHON" -m models.train evaluate --to "$WORK/model" --card "$WORK/model/dice.md" \
    --photos "$LEARN"/NikitaMensh__DiceWatcher "$LEARN"/N3VERS4YDIE__dice-recognition__lens_gray_overhead \
    "$LEARN"/DamianTab__DiceDetection "$LEARN"/matteop65__Dice_Detection_Recognition \
    "$LEARN"/skovy__tensorflow-dice-model "$MEASURE"/tomek-jankowiak__Dice_Detector \
    "$MEASURE"/MarceliJerzynski__DiceDetection "$MEASURE"/jungho-song-cse__openCV_Dice-Recognition \
    "$MEASURE"/madmagic007__PietjesBakVision "$MEASURE"/fudw__dice-detection-for-board-games \
    --renders "$WORK/render/closeup" "$WORK/render/board" "$WORK/render/dense" "$WORK/render/small"
echo "The model and its card are in $WORK/model; copy finder.onnx, dice.onnx and dice.md to models/ to ship them."
