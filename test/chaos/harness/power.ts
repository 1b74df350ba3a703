import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * Shuts down the file system at the path (FS_IOC_GOINGDOWN without flushing its log): from then on nothing is written, as if
 * the power were cut. Pages that were not synced are lost. Perl, because Node cannot call ioctl.
 */
const SHUT_DOWN = 'my $flags = pack("L", 2); open(F, "<", $ARGV[0]) && ioctl(F, 0x8004587D, $flags) or die "$!"'

/** Opens a disk (ext4 in a file, which needs root) whose power can be cut. */
export const openDisk = (megabytes: number) => {
  if (process.getuid?.() !== 0) throw new Error("Couldn't mount a disk: this scenario must run as root.")
  const dir = mkdtempSync(join(tmpdir(), "earmark-power-"))
  // PostgreSQL runs as another user.
  chmodSync(dir, 0o755)
  const [image, folder] = [join(dir, "image"), join(dir, "disk")]
  mkdirSync(folder)
  writeFileSync(image, "")
  truncateSync(image, megabytes * 2 ** 20)
  execFileSync("mkfs.ext4", ["-q", "-F", image])
  const mount = (): void => void execFileSync("mount", ["-o", "loop", image, folder])
  const unmount = (...flags: string[]): void => void execFileSync("umount", [...flags, folder])
  const unmountNow = (): void => unmount("-l")
  mount()
  process.once("exit", unmountNow)
  return {
    folder,
    /** Writes everything to the disk. */
    sync: (): void => void execFileSync("sync", ["-f", folder]),
    cutPower: (): void => void execFileSync("perl", ["-e", SHUT_DOWN, folder]),
    /** Mounts the disk again. The processes that used it must have ended. */
    restorePower: (): void => {
      unmount()
      mount()
    },
    close: (): void => {
      process.off("exit", unmountNow)
      unmountNow()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export type Disk = ReturnType<typeof openDisk>
