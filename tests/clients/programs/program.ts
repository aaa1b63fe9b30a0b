import type { PublicClient } from '../client.ts'
import type { Installed } from '../install.ts'
import type { Run } from '../run.ts'
import type { ServiceProcess } from '../service.ts'

/** The context of a program. */
export interface Setting {
  readonly run: Run
  readonly client: PublicClient
  readonly installed: Installed
  readonly service: ServiceProcess
}

/** Uses a client as its users do; the run collects failures. */
export type Program = (setting: Setting) => Promise<void>

/** A page of the sample workspace; programs create content below it. */
export const HANDBOOK = '5df6f817-b099-4bcf-a0ec-6db25097c040'
/** An agent of the sample workspace. */
export const PARTS_SCOUT = '95814675-5260-4ba9-9362-3b53b93e295f'
