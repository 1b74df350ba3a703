/**
 * The few pieces of WebAssembly's binary format that the kernels of this folder are written with: they are small enough
 * to be assembled at run time, so there is no binary to trust and nothing to build. Opcodes by the SIMD proposal's table.
 */

export type Code = readonly number[]

export const V128 = 0x7b
export const I32 = 0x7f
export const F32 = 0x7d
export type ValueType = typeof V128 | typeof I32 | typeof F32

export const uleb = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uleb(value >>> 7)]
/** Signed: for constants. */
const sleb = (value: number): number[] => {
  const byte = value & 0x7f
  const rest = value >> 7
  const last = (rest === 0 && (byte & 0x40) === 0) || (rest === -1 && (byte & 0x40) !== 0)
  return last ? [byte] : [byte | 0x80, ...sleb(rest)]
}
const vector = (items: readonly Code[]): number[] => [...uleb(items.length), ...items.flat()]
const section = (id: number, body: Code): number[] => [id, ...uleb(body.length), ...body]
const text = (s: string): number[] => [...uleb(s.length), ...Buffer.from(s, "ascii")]

export const get = (local: number): Code => [0x20, ...uleb(local)]
export const set = (local: number, value: Code): Code => [...value, 0x21, ...uleb(local)]
export const tee = (local: number, value: Code): Code => [...value, 0x22, ...uleb(local)]

export const i32 = {
  const: (value: number): Code => [0x41, ...sleb(value)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x6a],
  sub: (a: Code, b: Code): Code => [...a, ...b, 0x6b],
  lessUnsigned: (a: Code, b: Code): Code => [...a, ...b, 0x49],
  load: (at: Code, offset = 0): Code => [...at, 0x28, 2, ...uleb(offset)],
  store: (at: Code, value: Code, offset = 0): Code => [...at, ...value, 0x36, 2, ...uleb(offset)],
}

export const f32 = {
  load: (at: Code, offset = 0): Code => [...at, 0x2a, 2, ...uleb(offset)],
  store: (at: Code, value: Code, offset = 0): Code => [...at, ...value, 0x38, 2, ...uleb(offset)],
  add: (a: Code, b: Code): Code => [...a, ...b, 0x92],
  notAbove: (a: Code, b: Code): Code => [...a, ...b, 0x5f],
}

const simd = (opcode: number, ...args: Code[]): Code => [...args.flat(), 0xfd, ...uleb(opcode)]
const binary =
  (opcode: number) =>
  (a: Code, b: Code): Code =>
    simd(opcode, a, b)

export const v128 = {
  load: (at: Code, offset = 0): Code => [...simd(0x00, at), 4, ...uleb(offset)],
  store: (at: Code, value: Code, offset = 0): Code => [...simd(0x0b, at, value), 4, ...uleb(offset)],
  /** Four numbers as the bits of floats. */
  floats: (...values: [number, number, number, number]): Code => [
    ...simd(0x0c),
    ...new Uint8Array(Float32Array.from(values).buffer),
  ],
  ints: (value: number): Code => [
    ...simd(0x0c),
    ...new Uint8Array(Int32Array.from([value, value, value, value]).buffer),
  ],
  or: binary(0x50),
  xor: binary(0x51),
  /** One number of 32 bits in every lane. */
  loadSplat: (at: Code, offset = 0): Code => [...simd(0x09, at), 2, ...uleb(offset)],
  anyTrue: (a: Code): Code => simd(0x53, a),
}

export const i32x4 = {
  lane: (a: Code, lane: number): Code => [...simd(0x1b, a), lane],
  splat: (a: Code): Code => simd(0x11, a),
  shiftLeft: (a: Code, by: number): Code => simd(0xab, a, i32.const(by)),
  shiftRight: (a: Code, by: number): Code => simd(0xad, a, i32.const(by)),
  add: binary(0xae),
  sub: binary(0xb1),
  min: binary(0xb6),
  /** Sums of two products each, of eight 16-bit integers. */
  dotOfPairs: binary(0xba),
  /** Of floats, towards zero. */
  truncate: (a: Code): Code => simd(0xf8, a),
}

export const f32x4 = {
  lane: (a: Code, lane: number): Code => [...simd(0x1f, a), lane],
  splat: (a: Code): Code => simd(0x13, a),
  add: binary(0xe4),
  sub: binary(0xe5),
  mul: binary(0xe6),
  div: binary(0xe7),
  notBelow: binary(0x46),
  /** The lesser, and the larger, where nothing is not-a-number: one instruction each, unlike `min` and `max` proper. */
  lesser: binary(0xea),
  larger: binary(0xeb),
  /** Of signed integers. */
  convert: (a: Code): Code => simd(0xfa, a),
  /** Lanes 0–3 are those of a, 4–7 those of b. */
  shuffle: (a: Code, b: Code, ...lanes: [number, number, number, number]): Code => [
    ...simd(0x0d, a, b),
    ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
  ],
}

/** Runs the body at least once, and again while the condition holds. */
export const doWhile = (condition: Code, ...body: Code[]): Code => [
  0x03,
  0x40,
  ...body.flat(),
  ...condition,
  0x0d,
  0,
  0x0b,
]
export const when = (condition: Code, ...body: Code[]): Code => [...condition, 0x04, 0x40, ...body.flat(), 0x0b]

export type Kernel = {
  readonly name: string
  readonly params: readonly ValueType[]
  /** Locals beside the parameters, by type, in groups; they are numbered after them. */
  readonly locals: readonly (readonly [count: number, type: ValueType])[]
  readonly body: Code
}

/** A module whose functions return nothing and work on one imported memory. */
export const assemble = (kernels: readonly Kernel[]): WebAssembly.Module => {
  const types = kernels.map(({ params }) => [0x60, ...vector(params.map((p) => [p])), 0])
  const codes = kernels.map(({ locals, body }) => {
    const code = [...vector(locals.map(([count, type]) => [...uleb(count), type])), ...body, 0x0b]
    return [...uleb(code.length), ...code]
  })
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, vector(types)),
      ...section(2, vector([[...text("env"), ...text("memory"), 0x02, 0x00, 1]])),
      ...section(3, vector(kernels.map((_, i) => uleb(i)))),
      ...section(7, vector(kernels.map(({ name }, i) => [...text(name), 0x00, ...uleb(i)]))),
      ...section(10, vector(codes)),
    ]) as BufferSource,
  )
}

const PAGE = 65_536

/** Memory of at least so many bytes with the module's functions over it. */
export const instantiate = <T>(module: WebAssembly.Module, bytes: number) => {
  const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE)) })
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return { buffer: memory.buffer, run: exports as T }
}
