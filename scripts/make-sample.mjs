#!/usr/bin/env node
/**
 * Creates the bundled recording, public/samples/three-subjects.flac, and its ground truth, three-subjects.json: the times of
 * the subject boundaries and speaker turns, and the text. Needs flite and ffmpeg. The same versions of both programs
 * always give the same bytes.
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
/** Role → flite voice. */
const VOICES = { host: "slt", guest: "rms" }
/** Silence after a sentence, between speaker turns and between subjects, in seconds. */
const PAUSE_S = { sentence: 0.45, turn: 0.6, subject: 0.9 }

/** Speakers change within subjects. The guest speaks on both sides of the first boundary, the host of the second. */
const SUBJECTS = [
  {
    subject: "Repairing an old wooden boat",
    turns: [
      ["host", "Last spring you started to repair an old boat. Why did you want to do this?"],
      [
        "guest",
        "My father had that boat for twenty years. Then the boat was left in a field, and the wood began to rot. I wanted to see the boat on the water again.",
      ],
      ["host", "Was there a lot of damage?"],
      [
        "guest",
        "Yes. The bottom of the boat was full of holes. We had to take out the bad boards, and we made new boards from the wood of an old oak tree. Then we painted the boat three times to keep the water out.",
      ],
      ["host", "Was it difficult to find people who could help you?"],
      [
        "guest",
        "No. A man in the harbor made the new sails, and my brother helped me with the paint. In June we put the boat back in the water. There was a strong wind, and the boat moved across the harbor without a sound.",
      ],
    ],
  },
  {
    subject: "Keeping honey bees through the winter",
    turns: [
      ["guest", "In the winter I do something very different. I keep honey bees in the garden behind my house."],
      ["host", "Do the honey bees sleep in the winter?"],
      [
        "guest",
        "Honey bees do not sleep in the winter. They stay close together and move their bodies to stay warm. The queen stays in the middle. Around the queen it is as warm as a summer day.",
      ],
      ["host", "There are no flowers in the garden in the winter. What do the honey bees live on?"],
      [
        "guest",
        "They live on the honey that they made from the flowers in the summer. They need about forty pounds of honey to live until spring, so I never take all of the honey. If there is too little honey, I help the honey bees with sugar and water.",
      ],
      ["host", "Thank you. I hope that the honey bees will be safe until the spring."],
    ],
  },
  {
    subject: "How a small observatory photographs the stars and a comet",
    turns: [
      [
        "host",
        "Our last story tonight is about the night sky. There is a big telescope in this town. How long does it take to make a picture of the stars?",
      ],
      [
        "guest",
        "The light of the stars is very weak, so the camera needs a long time. We point the telescope at the stars, and then we open the camera for ten minutes. But the earth turns, and the stars move across the sky. If the telescope does not move, the stars in the picture become long lines.",
      ],
      ["host", "So the telescope has to follow the stars?"],
      [
        "guest",
        "Yes. A computer moves the telescope with the stars. We take thirty pictures in one night and put the pictures together.",
      ],
      ["host", "When is the best time for a good picture?"],
      [
        "guest",
        "We need a dark sky, with no moon and no clouds. Last year the town turned off the street lights for one night. The children came up the hill to look through the telescope, and they saw a bright comet with a long tail across half the sky.",
      ],
    ],
  },
]

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../public/samples", import.meta.url)))
const work = mkdtempSync(join(tmpdir(), "earmark-sample-"))

/** Returns one sentence as 16-bit mono samples at 16 kHz, without the silence that flite adds at both ends. */
const speak = (voice, sentence) => {
  const wav = join(work, "sentence.wav")
  execFileSync("flite", ["-voice", VOICES[voice], "--setf", "duration_stretch=1.01", "-t", sentence, "-o", wav])
  const file = readFileSync(wav)
  const data = file.indexOf("data", 12, "latin1")
  if (file.readUInt32LE(24) !== RATE || data < 0)
    throw new Error(`The flite voice ${VOICES[voice]} does not have a sample rate of ${RATE} Hz.`)
  const bytes = file.subarray(data + 8, data + 8 + file.readUInt32LE(data + 4))
  const pcm = new Int16Array(bytes.length >> 1).map((_, i) => bytes.readInt16LE(2 * i))
  const loud = (sample) => Math.abs(sample) > 100
  // Keep 20 ms around the loud samples, because a soft consonant starts below the threshold.
  const margin = RATE / 50
  return pcm.slice(Math.max(0, pcm.findIndex(loud) - margin), pcm.findLastIndex(loud) + margin)
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
  // A boundary is the first sound of the next subject.
  truth.borders_s = truth.subjects.slice(1).map((s) => s.start_s)
  truth.text = truth.turns.map((t) => t.text).join(" ")

  const pcm = Buffer.concat(parts.map((p) => Buffer.from(p.buffer, p.byteOffset, p.byteLength)))
  const out = join(folder, `${NAME}.flac`)
  const format = ["-f", "s16le", "-ar", String(RATE), "-ac", "1", "-i", "pipe:0"]
  const flac = [
    "-map_metadata",
    "-1",
    "-fflags",
    "+bitexact",
    "-flags:a",
    "+bitexact",
    "-compression_level",
    "12",
    "-y",
    out,
  ]
  execFileSync("ffmpeg", ["-v", "error", ...format, ...flac], { input: pcm })
  writeFileSync(join(folder, `${NAME}.json`), `${JSON.stringify(truth, null, 2)}\n`)
  console.log(`${out}: ${truth.duration_s} s, boundaries at ${truth.borders_s.join(" and ")} s`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
