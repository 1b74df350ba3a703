export type SampleOptions = {
  /** The origin of the service. */
  readonly origin: string
  /** True if the sample sends the token of the environment variable EARMARK_TOKEN. */
  readonly withToken: boolean
}
