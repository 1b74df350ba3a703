/** The part of negotiator 1.1 that is used here. @types/negotiator describes 0.6, without `preferred`. */
declare module "negotiator" {
  export class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string | string[] | undefined>> })
    /** Returns the best of the available media types, or undefined if none is acceptable. */
    mediaType(available: readonly string[]): string | undefined
    /** Returns the best of the available encodings. `preferred` orders those that the client ranks equally. */
    encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined
  }
}
