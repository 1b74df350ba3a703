import {
  assemble,
  type Code,
  doWhile,
  F32,
  f32,
  f32x4,
  get,
  I32,
  i32,
  i32x4,
  instantiate,
  type Kernel,
  set,
  tee,
  V128,
  v128,
  when,
} from "./wasm.ts"

/** The curve 1 / (1 + a·d^2b) that umap-learn fits for min_dist 0.1 and spread 1. */
const A = 1.5769434603113077
const B = 0.8950608779109733
/**
 * Negative samples: a neighbour and three of them fill a register. umap-learn draws five, one by one; three at once that
 * weigh as much are noisier, and weighing as eight they keep neighbourhoods as well.
 */
const DRAWN = 3
const WEIGHT = 8
const CLIP = 4

/** Bytes of a link: address of its head, address of its tail, next epoch, period. */
export const LINK_BYTES = 16
/** Bytes of a place: x, y, z and a zero. */
export const PLACE_BYTES = 16

/** Bits of 1.0 less what makes the linear reading of the exponent right on average (Schraudolph 1999). */
const ONE = 1_064_866_805

const all = (value: number): Code => v128.floats(value, value, value, value)

/**
 * `epoch(links, end, places, epoch, step, scale, last)`: one pass over the links. Each that is due draws its two ends
 * together and pushes each of them from some random places. The four lanes of a register are the four other ends: the
 * neighbour first. d^2b is read off the bits of the float, which is within two hundredths.
 */
const epochKernel = (): Kernel => {
  const [link, end, places, epoch, step, scale, last, head, tail] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
  const [random, own, v0, v1, v2, v3, x, y, z, power, index, stepV, scaleV, lastV] = Array.from(
    { length: 14 },
    (_, i) => 9 + i,
  ) as [number, number, number, number, number, number, number, number, number, number, number, number, number, number]
  const mix = (shifted: Code): Code => set(random, v128.xor(get(random), shifted))
  const difference = (into: number, at: Code): Code => set(into, f32x4.sub(get(own), v128.load(at)))
  const square = (v: number): Code => f32x4.mul(get(v), get(v))
  const pulled = (v: number): Code =>
    set(v, f32x4.mul(get(stepV), f32x4.lesser(f32x4.larger(f32x4.mul(get(v), get(power)), all(-CLIP)), all(CLIP))))
  const { shuffle } = f32x4

  const side = (p: number, q: number): number[] => [
    // xorshift32 in four lanes; the first is not used.
    ...mix(i32x4.shiftLeft(get(random), 13)),
    ...mix(i32x4.shiftRight(get(random), 17)),
    ...mix(i32x4.shiftLeft(get(random), 5)),
    ...set(
      index,
      i32x4.shiftLeft(
        i32x4.min(i32x4.truncate(f32x4.mul(f32x4.convert(i32x4.shiftRight(get(random), 8)), get(scaleV))), get(lastV)),
        4,
      ),
    ),
    ...set(own, v128.load(get(p))),
    ...difference(v0, get(q)),
    ...difference(v1, i32.add(get(places), i32x4.lane(get(index), 1))),
    ...difference(v2, i32.add(get(places), i32x4.lane(get(index), 2))),
    ...difference(v3, i32.add(get(places), i32x4.lane(get(index), 3))),
    // Four places of (x, y, z) turned into x, y and z of four.
    ...set(x, shuffle(get(v0), get(v1), 0, 4, 1, 5)),
    ...set(y, shuffle(get(v2), get(v3), 0, 4, 1, 5)),
    ...set(z, shuffle(shuffle(get(v0), get(v1), 2, 6, 2, 6), shuffle(get(v2), get(v3), 2, 6, 2, 6), 0, 1, 4, 5)),
    ...set(v0, shuffle(get(x), get(y), 0, 1, 4, 5)),
    ...set(y, shuffle(get(x), get(y), 2, 3, 6, 7)),
    ...set(x, get(v0)),
    ...set(v0, f32x4.add(f32x4.add(square(x), square(y)), square(z))),
    ...set(
      power,
      i32x4.add(i32x4.truncate(f32x4.mul(f32x4.convert(i32x4.sub(get(v0), v128.ints(ONE))), all(B))), v128.ints(ONE)),
    ),
    ...set(
      power,
      f32x4.div(
        f32x4.add(
          f32x4.mul(v128.floats(-2 * A * B, 0, 0, 0), get(power)),
          v128.floats(0, ...([0, 0, 0].fill((2 * B * WEIGHT) / DRAWN) as [number, number, number])),
        ),
        f32x4.mul(
          f32x4.add(get(v0), v128.floats(1e-12, 0.001, 0.001, 0.001)),
          f32x4.add(all(1), f32x4.mul(all(A), get(power))),
        ),
      ),
    ),
    ...pulled(x),
    ...pulled(y),
    ...pulled(z),
    // Back: what each lane gives, summed, moves this end; the first lane alone moves the other.
    ...set(v0, shuffle(get(x), get(y), 0, 4, 1, 5)),
    ...set(v1, shuffle(get(z), v128.ints(0), 0, 4, 1, 5)),
    ...set(v2, f32x4.add(get(v0), shuffle(get(x), get(y), 2, 6, 3, 7))),
    ...set(v3, f32x4.add(get(v1), shuffle(get(z), v128.ints(0), 2, 6, 3, 7))),
    ...v128.store(get(q), f32x4.sub(v128.load(get(q)), shuffle(get(v0), get(v1), 0, 1, 4, 5))),
    ...v128.store(
      get(p),
      f32x4.add(get(own), f32x4.add(shuffle(get(v2), get(v3), 0, 1, 4, 5), shuffle(get(v2), get(v3), 2, 3, 6, 7))),
    ),
  ]
  const due = when(
    f32.notAbove(f32.load(get(link), 8), get(epoch)),
    f32.store(get(link), f32.add(f32.load(get(link), 8), f32.load(get(link), 12)), 8),
    set(head, i32.load(get(link))),
    set(tail, i32.load(get(link), 4)),
    side(head, tail),
    side(tail, head),
  )
  const body = [
    ...set(random, v128.load(i32.const(0))),
    ...set(stepV, f32x4.splat(get(step))),
    ...set(scaleV, f32x4.splat(get(scale))),
    ...set(lastV, i32x4.splat(get(last))),
    ...doWhile(i32.lessUnsigned(tee(link, i32.add(get(link), i32.const(LINK_BYTES))), get(end)), due),
    ...v128.store(i32.const(0), get(random)),
  ]
  return {
    name: "epoch",
    params: [I32, I32, I32, F32, F32, F32, I32],
    locals: [
      [2, I32],
      [14, V128],
    ],
    body,
  }
}

type Epoch = (
  links: number,
  end: number,
  places: number,
  epoch: number,
  step: number,
  scale: number,
  last: number,
) => void
let compiled: WebAssembly.Module | null = null

/** Where the state of the random numbers lies (four of 32 bits); the rest of the memory is the caller's. */
export const STATE_BYTES = 16

export const openDescent = (bytes: number) => {
  compiled ??= assemble([epochKernel()])
  return instantiate<{ readonly epoch: Epoch }>(compiled, bytes)
}
