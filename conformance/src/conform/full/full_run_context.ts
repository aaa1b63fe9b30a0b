import type { Operation } from '../../../../generated/operations.ts'
import type { RequestForm } from '@workspace-service/server/contract/request_form.ts'
import type { Run } from '../../run.ts'
import type { ConformClient } from '../conform_client.ts'
import type { IdPool } from '../id_pool.ts'
import type { ExampleRecords } from './example_records.ts'
import type { RunRecords } from './run_records.ts'
import type { Replacements } from './replacements.ts'
import type { Writer } from './writer.ts'

/** The shared context of the resources. */
export interface FullRunContext {
  readonly run: Run
  readonly client: ConformClient
  readonly writer: Writer
  readonly runRecords: RunRecords
  readonly pool: IdPool
  readonly records: ExampleRecords
  readonly replacements: Replacements
  readonly form: RequestForm
  /** The page that contains everything that the run creates. */
  readonly pageId: string
  /** The page's title, which no other page has. */
  readonly title: string
  /** The agent to talk to; undefined if none was named. */
  readonly agentId: string | undefined
}

/** The tests of a resource's operations. */
export interface Resource {
  /** Recreates the records in the examples of responses, so that the examples of requests can refer to them. */
  make?(context: FullRunContext): Promise<void>
  /** Sends the examples of the contract and checks the results. */
  exercise(context: FullRunContext): Promise<void>
  /** Removes everything outside the page. Always called, also after a failure. */
  clean?(context: FullRunContext): Promise<void>
}

/** The name of the component that describes the body of a request. */
export function requestName({ id }: Operation, schema: object | undefined): string {
  const reference = schema && '$ref' in schema ? String(schema.$ref) : ''
  const name = reference.split('/').at(-1)
  if (!name) throw new RangeError(`the body of ${id} has no name`)
  return name
}
