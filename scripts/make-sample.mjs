#!/usr/bin/env node
/**
 * Makes the bundled recording, public/samples/three-subjects.flac, and beside it three-subjects.json with what is true
 * of it: the seconds of the borders between subjects, of the turns between voices, and the text. Needs flite and ffmpeg.
 * Deterministic: the same versions of both programs give the same bytes.
 *
 *   node scripts/make-sample.mjs [folder]
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const RATE = 16_000
const NAME = "three-subjects"
/** Flite's voices by the role they play. */
const VOICES = { host: "slt", guest: "rms" }
/** Silence after a sentence, before another voice, and before another subject, in seconds. */
const PAUSE_S = { sentence: 0.45, turn: 0.6, subject: 0.9 }

/** Voices change inside subjects; the guest goes on over the first border, the host over the second. */
const SUBJECTS = [
  {
    subject: "Restoring an old sailing boat",
    turns: [
      ["host", "You bought an old wooden boat last spring. Why did you want to repair that boat?"],
      [
        "guest",
        "My father sailed that boat for twenty years. After that, the boat was left in a field, and the wood began to rot. I wanted to see the boat sail again.",
      ],
      ["host", "How bad was the damage to the wood?"],
      [
        "guest",
        "The bottom of the boat was full of holes. We had to take out nine boards and cut new boards from hard wood. Then we painted the wood three times to keep the water out.",
      ],
      ["host", "Could you still use the old sails?"],
      [
        "guest",
        "No. The old sails were torn, so a man in the harbor made new sails from strong white cloth. In June we put the boat back in the water. The boat did not leak, and the wind filled the sails at once.",
      ],
    ],
  },
  {
    subject: "Keeping bees through the winter",
    turns: [
      ["guest", "In the winter I do something very different. I keep bees in the garden behind my house."],
      ["host", "What do bees do when the winter is cold? Do the bees sleep?"],
      [
        "guest",
        "Bees do not sleep in the winter. The bees sit close together and shake their bodies to stay warm. The queen stays in the middle. Around the queen it is as warm as a summer day.",
      ],
      ["host", "What do the bees eat when there are no flowers in the garden?"],
      [
        "guest",
        "The bees eat the honey that they made in the summer. They need about forty pounds of honey to live until spring, so I never take all the honey. If the honey runs low, I feed the bees with sugar.",
      ],
      ["host", "So the bees need honey, and a queen, and a warm place for the winter."],
    ],
  },
  {
    subject: "How a small observatory photographs comets",
    turns: [
      [
        "host",
        "Our last story tonight is about the night sky. You work with the big telescope on the hill. How do you take a picture of a comet?",
      ],
      [
        "guest",
        "The light of a comet is very weak, so the camera needs a long time. We point the telescope at the comet, and we open the camera for ten minutes. But the comet moves across the stars. If the telescope follows the stars, the picture of the comet becomes a long line.",
      ],
      ["host", "So the telescope has to follow the comet?"],
      [
        "guest",
        "Yes. A computer moves the telescope with the comet. Then the comet is sharp, and the stars become short lines. We take thirty pictures in one night and put the pictures together.",
      ],
      ["host", "What do you need for a good picture?"],
      [
        "guest",
        "We need a dark sky, with no moon and no clouds. Last year the town turned off the street lights for one night. The children came up the hill to look through the telescope, and they saw the bright tail of the comet across half the sky.",
      ],
    ],
  },
]

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../public/samples", import.meta.url)))
const work = mkdtempSync(join(tmpdir(), "earmark-sample-"))

/** One sentence as 16-bit mono samples at 16 kHz, without the silence that flite puts at both ends. */
const speak = (voice, sentence) => {
  const wav = join(work, "sentence.wav")
  execFileSync("flite", ["-voice", VOICES[voice], "--setf", "duration_stretch=1.04", "-t", sentence, "-o", wav])
  const file = readFileSync(wav)
  const data = file.indexOf("data", 12, "latin1")
  if (file.readUInt32LE(24) !== RATE || data < 0) throw new Error(`flite's voice ${VOICES[voice]} is not at ${RATE} Hz`)
  const pcm = new Int16Array(file.buffer.slice(file.byteOffset + data + 8, file.byteOffset + file.length - (file.length - data) % 2))
  const loud = (sample) => Math.abs(sample) > 150
  return pcm.slice(pcm.findIndex(loud), pcm.findLastIndex(loud) + 1)
}

const seconds = (samples) => Math.round((samples / RATE) * 1000) / 1000

try {
  const parts = []
  let at = 0
  const add = (pcm) => {
    parts.push(pcm)
    at += pcm.length
  }
  const silence = (length_s) => add(new Int16Array(Math.round(length_s * RATE)))

  const truth = { duration_s: 0, borders_s: [], subjects: [], turns: [], text: "" }
  silence(0.3)
  for (const [i, { subject, turns }] of SUBJECTS.entries()) {
    const from = at
    for (const [j, [voice, text]] of turns.entries()) {
      const start_s = seconds(at)
      const sentences = text.split(/(?<=[.?!]) /)
      for (const [k, sentence] of sentences.entries()) {
        add(speak(voice, sentence))
        if (k < sentences.length - 1) silence(PAUSE_S.sentence)
      }
      truth.turns.push({ voice, subject: i, start_s, end_s: seconds(at), text })
      if (j < turns.length - 1) silence(PAUSE_S.turn)
    }
    truth.subjects.push({ subject, start_s: seconds(from), end_s: seconds(at) })
    if (i < SUBJECTS.length - 1) silence(PAUSE_S.subject)
  }
  silence(0.4)
  truth.duration_s = seconds(at)
  // A border is the first sound of the next subject.
  truth.borders_s = truth.subjects.slice(1).map((s) => s.start_s)
  truth.text = truth.turns.map((t) => t.text).join(" ")

  const pcm = Buffer.concat(parts.map((p) => Buffer.from(p.buffer, p.byteOffset, p.byteLength)))
  const out = join(folder, `${NAME}.flac`)
  const format = ["-f", "s16le", "-ar", String(RATE), "-ac", "1", "-i", "pipe:0"]
  const flac = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact", "-compression_level", "12", "-y", out]
  execFileSync("ffmpeg", ["-v", "error", ...format, ...flac], { input: pcm })
  writeFileSync(join(folder, `${NAME}.json`), `${JSON.stringify(truth, null, 2)}\n`)
  console.log(`${out}: ${truth.duration_s} s, borders at ${truth.borders_s.join(" and ")} s`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
