import type { EndpointId, EndpointTable } from "../table.ts"
import type { ResponseOf } from "./transport.ts"

/** An endpoint whose response can be reduced to some fields. */
export type SelectingId = {
  [K in EndpointId]: EndpointTable[K] extends { fieldsOf: string } ? K : never
}[EndpointId]

type EntryOf<T> = T extends readonly (infer Entry)[] ? Entry : T

/** The name of the property that has the selectable fields; never if the response itself has them. */
type PartName<K extends EndpointId> = EndpointTable[K] extends { fieldsOf: infer Name }
  ? Name & keyof ResponseOf<K>
  : never

/** The fields that can be selected of a response. */
export type FieldOf<K extends EndpointId> = string &
  ([PartName<K>] extends [never] ? keyof ResponseOf<K> : keyof EntryOf<ResponseOf<K>[PartName<K>]>)

type PickEach<T, F> = T extends readonly (infer Entry)[] ? Pick<Entry, F & keyof Entry>[] : Pick<T, F & keyof T>

/** A response with some of its fields. */
export type Selected<K extends EndpointId, F extends FieldOf<K>> = [PartName<K>] extends [never]
  ? Pick<ResponseOf<K>, F & keyof ResponseOf<K>>
  : Omit<ResponseOf<K>, PartName<K>> & { [Name in PartName<K>]: PickEach<ResponseOf<K>[Name], F> }

/** Selects the fields of a response. */
export type FieldsOption<F extends string> = { readonly fields: readonly F[] }
