import { describe, expect, it } from "vitest"
import { sniff } from "./detect-format.ts"

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))))

describe("sniff", () => {
  it.each([
    ["wav", bytes("RIFF", [0, 0, 0, 0], "WAVEfmt ")],
    ["wav", bytes("RF64", [255, 255, 255, 255], "WAVEds64")],
    ["avi", bytes("RIFF", [0, 0, 0, 0], "AVI LIST")],
    ["flac", bytes("fLaC", [0, 0, 0, 34])],
    ["ogg", bytes("OggS", [0, 2])],
    ["mp3", bytes("ID3", [3, 0])],
    ["mp3", bytes([0xff, 0xfb, 0x90, 0x64])],
    ["mp3", bytes([0, 0, 0, 0xff, 0xf3, 0x40, 0xc0])],
    ["aac", bytes([0xff, 0xf1, 0x50, 0x80])],
    ["mp4", bytes([0, 0, 0, 32], "ftypM4A ")],
    ["mp4", bytes([0, 0, 0, 8], "wide")],
    ["matroska", bytes([0x1a, 0x45, 0xdf, 0xa3, 1])],
    ["aiff", bytes("FORM", [0, 0, 0, 0], "AIFFCOMM")],
    ["amr", bytes("#!AMR\n")],
    ["caf", bytes("caff", [0, 1])],
  ])("knows %s", (format, head) => {
    expect(sniff(head)).toBe(format)
  })

  it.each([
    ["nothing", bytes()],
    ["text", bytes("hello, this is not a recording")],
    ["UTF-16 text", bytes([0xff, 0xfe], "h\0e\0l\0l\0o\0")],
    ["HTML", bytes("<!doctype html><title>404</title>")],
    ["a playlist", bytes("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n")],
    ["a concat script", bytes("ffconcat version 1.0\nfile /etc/passwd\n")],
    ["an image", bytes([0x89], "PNG\r\n\x1a\n")],
    ["a picture in RIFF", bytes("RIFF", [0, 0, 0, 0], "WEBPVP8 ")],
    ["an archive", bytes("PK\x03\x04")],
    ["a document", bytes("%PDF-1.7")],
    ["zeros", new Uint8Array(4096)],
  ])("refuses %s", (_, head) => {
    expect(sniff(head)).toBeNull()
  })
})
