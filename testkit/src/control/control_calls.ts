import type { operations } from '../../../generated/control_types.ts'

type Operations = operations
export type ControlId = keyof Operations

type PartOf<T, Key extends string> = T extends { readonly [K in Key]?: infer Part } ? Exclude<Part, undefined> : never
type JsonOf<T> = PartOf<PartOf<T, 'content'>, 'application/json'>
type ParametersOf<Id extends ControlId> = PartOf<Operations[Id], 'parameters'>

/** A request that was validated against the contract of the control API. */
export interface ControlCall<Id extends ControlId> {
  readonly path: PartOf<ParametersOf<Id>, 'path'>
  readonly query: PartOf<ParametersOf<Id>, 'query'>
  readonly body: JsonOf<PartOf<Operations[Id], 'requestBody'>>
}

/** The body of the response. */
export type ControlResponse<Id extends ControlId> = JsonOf<Operations[Id]['responses'][200]>

export type ControlHandlers = {
  readonly [Id in ControlId]: (call: ControlCall<Id>) => ControlResponse<Id> | Promise<ControlResponse<Id>>
}
