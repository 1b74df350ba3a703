import type { SentenceModelSettings } from "../embedding/onnx/model-settings.ts"

/** The purpose of a model. `program` is an executable that is managed like a model. */
export type ModelUse =
  | "speech"
  | "voice-activity"
  | "speaker-segmentation"
  | "speaker-embedding"
  | "embedding"
  | "program"

export type ModelFile = {
  readonly name: string
  readonly url: string
  /** The size; null if only the server knows it. */
  readonly bytes: number | null
  /** Hex; null if it comes from the publisher's list at the time of the download. */
  readonly sha256: string | null
}

export type Model = {
  readonly name: string
  /** Alternative names that requests may use. */
  readonly aliases: readonly string[]
  readonly use: ModelUse
  readonly purpose: string
  /** The approximate download size. */
  readonly bytes: number
  /** ISO 639-1 codes; null if the model does not depend on the language. */
  readonly languages: readonly string[] | null
  readonly licence: string
  readonly files: readonly ModelFile[]
  /** The source of missing checksums: Hugging Face's list of a revision, or a file in the format of `sha256sum`. */
  readonly listing: { readonly kind: "huggingface" | "sha256sum"; readonly url: string } | null
  /** How a model of texts is used. */
  readonly sentence?: SentenceModelSettings
}

const HUGGING_FACE = "https://huggingface.co"
const SHERPA_RELEASES = "https://github.com/k2-fsa/sherpa-onnx/releases/download"
const YT_DLP_RELEASES = "https://github.com/yt-dlp/yt-dlp/releases/latest/download"

/** A file with its size and checksum, or only its name if they are unknown. */
type FileEntry = readonly [name: string, bytes: number, sha256: string] | string

const fromHuggingFace = (
  repo: string,
  revision: string,
  files: readonly FileEntry[],
): Pick<Model, "files" | "listing"> => ({
  files: files.map((file) => {
    const [name, bytes, sha256] = typeof file === "string" ? [file, null, null] : file
    return { name, url: `${HUGGING_FACE}/${repo}/resolve/${revision}/${name}`, bytes, sha256 }
  }),
  listing: { kind: "huggingface", url: `${HUGGING_FACE}/api/models/${repo}/tree/${revision}` },
})

/** The 25 languages of Parakeet-TDT-0.6b-v3. */
const PARAKEET_LANGUAGES = "bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk".split(" ")
/** Whisper's languages. large-v3 adds Cantonese (yue). */
const WHISPER_LANGUAGES = (
  "en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy " +
  "sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo " +
  "uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jw su"
).split(" ")

const WHISPER_TOKENS = "b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126"

const whisperModel = (
  size: string,
  bytes: number,
  revision: string,
  files: readonly FileEntry[],
  repo = size,
): Model => ({
  name: `whisper-${size}`,
  aliases: [size],
  use: "speech",
  purpose: "transcribes 99 languages; larger sizes are more accurate and slower",
  bytes,
  languages: size === "large-v3" || size === "large-v3-turbo" ? [...WHISPER_LANGUAGES, "yue"] : WHISPER_LANGUAGES,
  licence: "MIT",
  ...fromHuggingFace(`csukuangfj/sherpa-onnx-whisper-${repo}`, revision, files),
})

const whisperFiles = (size: string): FileEntry[] => [
  `${size}-encoder.int8.onnx`,
  `${size}-decoder.int8.onnx`,
  `${size}-tokens.txt`,
]

/** The files of a sentence model as transformers.js publishes them: an int8 model and the tokenizer. */
const sentenceModel = (
  repo: string,
  revision: string,
  [modelBytes, modelSha256]: readonly [number, string],
  tokenizer: ModelFile = {
    name: "tokenizer.json",
    url: MINILM_TOKENIZER_URL,
    bytes: 711_661,
    sha256: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
  },
): Pick<Model, "use" | "bytes" | "files" | "listing"> => ({
  use: "embedding",
  bytes: modelBytes + (tokenizer.bytes ?? 0),
  files: [
    {
      name: "model_quantized.onnx",
      url: `${HUGGING_FACE}/${repo}/resolve/${revision}/onnx/model_quantized.onnx`,
      bytes: modelBytes,
      sha256: modelSha256,
    },
    tokenizer,
  ],
  listing: null,
})

const MINILM_REVISION = "751bff37182d3f1213fa05d7196b954e230abad9"
/** BERT's English vocabulary, which gte-small uses too. */
const MINILM_TOKENIZER_URL = `${HUGGING_FACE}/Xenova/all-MiniLM-L6-v2/resolve/${MINILM_REVISION}/tokenizer.json`
const E5_REVISION = "761b726dd34fb83930e26aab4e9ac3899aa1fa78"

export const PARAKEET = "parakeet-tdt-0.6b-v3-int8"
/** The default model for languages that Parakeet does not support. */
export const MULTILINGUAL_MODEL = "whisper-small"
export const VAD = "silero-vad"
export const SEGMENTATION = "speaker-segmentation"
export const EMBEDDING = "speaker-embedding"
/** The sentence model for those who name none. */
export const DEFAULT_SENTENCE_MODEL = "multilingual-e5-small"
export const YT_DLP_PROGRAM = "yt-dlp"

const YT_DLP_ASSETS: Readonly<Record<string, string>> = {
  "linux-x64": "yt-dlp_linux",
  "linux-arm64": "yt-dlp_linux_aarch64",
  "darwin-x64": "yt-dlp_macos",
  "darwin-arm64": "yt-dlp_macos",
}

/** All models that can be downloaded. The first one of each use is the default. */
export const CATALOG: readonly Model[] = [
  {
    name: PARAKEET,
    aliases: ["parakeet", "parakeet-tdt-0.6b-v3"],
    use: "speech",
    purpose: "transcribes 25 European languages with word times and detects the language; the default",
    bytes: 670_478_772,
    languages: PARAKEET_LANGUAGES,
    licence: "CC BY 4.0 (NVIDIA)",
    ...fromHuggingFace(
      "csukuangfj/sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8",
      "2bda32ec70b097a55adaa07d9a7173915b43cc78",
      [
        ["tokens.txt", 93_939, "d58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d"],
        ["joiner.int8.onnx", 6_355_277, "3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3"],
        ["decoder.int8.onnx", 11_845_275, "179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e"],
        ["encoder.int8.onnx", 652_184_281, "acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247"],
      ],
    ),
  },
  whisperModel("tiny", 103_600_000, "main", whisperFiles("tiny")),
  whisperModel("base", 160_600_000, "main", whisperFiles("base")),
  whisperModel("small", 375_000_000, "8f3c18b358db4d1f2fc1eae49d75cd20989e4309", whisperFiles("small")),
  whisperModel("medium", 946_000_000, "main", whisperFiles("medium")),
  whisperModel("large-v3", 1_770_000_000, "main", whisperFiles("large-v3")),
  {
    ...whisperModel(
      "large-v3-turbo",
      1_036_613_791,
      "2ca6ff69fc878651b770880507669577ac41c2ff",
      [
        ["turbo-tokens.txt", 816_730, WHISPER_TOKENS],
        ["turbo-decoder.int8.onnx", 361_080_764, "20accd02388482eb3a46bd615631adfdc85e1eb2c7db9ea3f02a40ffe6b81547"],
        ["turbo-encoder.int8.onnx", 674_716_297, "b02dcdf54f348741e93fe732b67d933c8dcb6735655f710640143081db38878b"],
      ],
      "turbo",
    ),
    aliases: ["large-v3-turbo", "turbo", "whisper-turbo"],
  },
  {
    name: VAD,
    aliases: [],
    use: "voice-activity",
    purpose: "detects speech and pauses; required by every speech model",
    bytes: 643_854,
    languages: null,
    licence: "MIT",
    files: [
      {
        name: "silero_vad.onnx",
        url: `${SHERPA_RELEASES}/asr-models/silero_vad.onnx`,
        bytes: 643_854,
        sha256: "9e2449e1087496d8d4caba907f23e0bd3f78d91fa552479bb9c23ac09cbb1fd6",
      },
    ],
    listing: null,
  },
  {
    name: SEGMENTATION,
    aliases: [],
    use: "speaker-segmentation",
    purpose: "detects speaker changes (pyannote segmentation 3.0)",
    bytes: 5_992_913,
    languages: null,
    licence: "MIT",
    ...fromHuggingFace("csukuangfj/sherpa-onnx-pyannote-segmentation-3-0", "9403a6902bb58e3d5ae8c7e77c3422de279db2e0", [
      ["model.onnx", 5_992_913, "220ad67ca923bef2fa91f2390c786097bf305bceb5e261d4af67b38e938e1079"],
    ]),
  },
  {
    name: EMBEDDING,
    aliases: [],
    use: "speaker-embedding",
    purpose: "recognizes speakers (TitaNet-small)",
    bytes: 40_257_283,
    languages: null,
    licence: "CC BY 4.0 (NVIDIA)",
    files: [
      {
        name: "nemo_en_titanet_small.onnx",
        url: `${SHERPA_RELEASES}/speaker-recongition-models/nemo_en_titanet_small.onnx`,
        bytes: 40_257_283,
        sha256: "ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e",
      },
    ],
    listing: null,
  },
  {
    name: DEFAULT_SENTENCE_MODEL,
    aliases: ["e5-small"],
    purpose: "compares texts by meaning in about 100 languages, and across them; the default",
    languages: null,
    licence: "MIT (Microsoft)",
    sentence: { pooling: "mean", maxTokens: 512, prefixes: { document: "passage: ", query: "query: " } },
    ...sentenceModel(
      "Xenova/multilingual-e5-small",
      E5_REVISION,
      [118_308_185, "f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193"],
      {
        name: "tokenizer.json",
        url: `${HUGGING_FACE}/Xenova/multilingual-e5-small/resolve/${E5_REVISION}/tokenizer.json`,
        bytes: 17_082_730,
        sha256: "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
      },
    ),
  },
  {
    name: "all-minilm-l6-v2",
    aliases: ["minilm", "all-MiniLM-L6-v2"],
    purpose: "compares English texts by meaning; the smallest and fastest",
    languages: ["en"],
    licence: "Apache 2.0",
    sentence: { pooling: "mean", maxTokens: 256, prefixes: { document: "", query: "" } },
    ...sentenceModel("Xenova/all-MiniLM-L6-v2", MINILM_REVISION, [
      22_972_370,
      "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
    ]),
  },
  {
    name: "gte-small",
    aliases: [],
    purpose: "compares English texts by meaning; more accurate than all-minilm-l6-v2",
    languages: ["en"],
    licence: "MIT (Alibaba)",
    sentence: { pooling: "mean", maxTokens: 512, prefixes: { document: "", query: "" } },
    ...sentenceModel("Xenova/gte-small", "main", [
      34_014_427,
      "34440558460f3d0d05fda102ade2d2a0672d112dd8c05b540c8fc3bc2051db90",
    ]),
  },
  {
    name: YT_DLP_PROGRAM,
    aliases: [],
    use: "program",
    purpose: "downloads the audio of YouTube videos",
    bytes: 37_000_000,
    languages: null,
    licence: "Unlicense",
    // Always the newest release: a version that is some months old no longer works with YouTube.
    files: [
      {
        name: "yt-dlp",
        url: `${YT_DLP_RELEASES}/${YT_DLP_ASSETS[`${process.platform}-${process.arch}`] ?? "yt-dlp"}`,
        bytes: null,
        sha256: null,
      },
    ],
    listing: { kind: "sha256sum", url: `${YT_DLP_RELEASES}/SHA2-256SUMS` },
  },
]

/** Returns the model with that name or alias, or null. */
export const findModel = (name: string): Model | null =>
  CATALOG.find((model) => model.name === name || model.aliases.includes(name)) ?? null
