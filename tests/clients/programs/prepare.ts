import type { ServiceProcess } from '../service.ts'
import { prepareNotionrs } from './rust/notionrs/prepare.ts'

/** Creates records that some suites expect in their authors' workspace, and passes their ids in environment variables. */
const preparations: Readonly<Record<string, (service: ServiceProcess) => Promise<Record<string, string>>>> = {
  'rust/notionrs': prepareNotionrs,
}

/** @returns the environment variables of that program */
export async function prepare(program: string, service: ServiceProcess): Promise<Record<string, string>> {
  return (await preparations[program]?.(service)) ?? {}
}
