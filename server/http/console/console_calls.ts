import type { operations } from '../../../generated/console_types.ts'
import type { Session } from '../../domain/people/index.ts'
import type { Dependencies } from '../dependencies.ts'
import type { HttpContext } from '../http_context.ts'

type Operations = operations
type ConsoleId = keyof Operations

type PartOf<T, Key extends string> = T extends { readonly [K in Key]?: infer Part } ? Exclude<Part, undefined> : never
type JsonOf<T> = PartOf<PartOf<T, 'content'>, 'application/json'>
type ParametersOf<Id extends ConsoleId> = PartOf<Operations[Id], 'parameters'>

/** A request that was validated against the contract of the console, from a person who is signed in. */
export interface ConsoleCall<Id extends ConsoleId> {
  readonly path: PartOf<ParametersOf<Id>, 'path'>
  readonly query: PartOf<ParametersOf<Id>, 'query'>
  readonly body: JsonOf<PartOf<Operations[Id], 'requestBody'>>
  readonly deps: Dependencies
  readonly session: Session
  readonly context: HttpContext
  readonly now: number
}

export type ConsoleResponse<Id extends ConsoleId> = JsonOf<Operations[Id]['responses'][200]>

export type ConsoleHandlers<Ids extends ConsoleId = ConsoleId> = {
  readonly [Id in Ids]: (call: ConsoleCall<Id>) => Promise<ConsoleResponse<Id>>
}
