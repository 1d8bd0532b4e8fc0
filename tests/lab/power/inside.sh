#!/bin/sh
# What run.sh does inside the root: a kernel, a network, Pietjesoog by its own installer.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -q >/dev/null
# an emulated machine needs few drivers
mkdir -p /etc/initramfs-tools/conf.d
echo 'MODULES=list' >/etc/initramfs-tools/conf.d/lab
printf '%s\n' virtio_pci virtio_blk ext4 virtio_net >/etc/initramfs-tools/modules 2>/dev/null || true
ls /boot/vmlinuz-* >/dev/null 2>&1 ||
    apt-get install -y -q --no-install-recommends linux-image-cloud-amd64 initramfs-tools >/dev/null
printf '%s\n' virtio_pci virtio_blk ext4 virtio_net >/etc/initramfs-tools/modules
update-initramfs -u -k all >/dev/null

printf '[Match]\nName=e*\n[Network]\nDHCP=ipv4\n' >/etc/systemd/network/10-lab.network
systemctl enable -q systemd-networkd.service
systemctl mask -q systemd-networkd-wait-online.service
echo '/dev/vda / ext4 noatime 0 1' >/etc/fstab
echo lab >/etc/hostname
systemctl set-default -q multi-user.target
# the code that plays, for the lab: written to the serial line
cat >/etc/systemd/system/lab.service <<'END'
[Unit]
After=pietjesoog.service
[Service]
ExecStart=/bin/sh -c 'while :; do echo "TABLE-CODE $(cat /run/pietjesoog/table-code)"; systemctl show -P NRestarts pietjesoog; sleep 2; done >/dev/ttyS0 2>&1'
[Install]
WantedBy=multi-user.target
END
systemctl enable -q lab.service

# an emulated machine is twenty times slower, on a busy one even more: patience, not another service
mkdir -p /etc/systemd/system/pietjesoog.service.d
printf '[Service]\nTimeoutStartSec=1800\nWatchdogSec=600\n' >/etc/systemd/system/pietjesoog.service.d/lab.conf
# what a machine without keyboard, screen and updates does not need
systemctl mask -q serial-getty@ttyS0.service getty@tty1.service apt-daily.timer apt-daily-upgrade.timer \
    man-db.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer systemd-binfmt.service dev-ttyS0.device || true

rm -rf /root/project
top=/mnt/project
# shellcheck source=hardware/service/packed.sh
. "$top/hardware/service/packed.sh"
packed project | tar -xf - -C /root
sh /root/project/hardware/install.sh --port 80
rm -rf /root/project /opt/pietjesoog/trying.json
grep -q '^\[camera\]' /var/lib/pietjesoog/pietjesoog.toml ||
    printf '\n[camera]\nkind = "none"\n' >>/var/lib/pietjesoog/pietjesoog.toml
sh /usr/local/sbin/pietjesoog-install --check
apt-get clean
