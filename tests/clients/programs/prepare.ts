import type { ServiceProcess } from '../service.ts'
import { prepareNotionrs } from './rust/notionrs/prepare.ts'

/** What some suites expect to find in the workspace of their makers: made here, and named to them by their environment. */
const preparations: Readonly<Record<string, (service: ServiceProcess) => Promise<Record<string, string>>>> = {
  'rust/notionrs': prepareNotionrs,
}

/** @returns the environment variables of that program */
export async function prepare(program: string, service: ServiceProcess): Promise<Record<string, string>> {
  return (await preparations[program]?.(service)) ?? {}
}
