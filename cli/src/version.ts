import { readFileSync } from 'node:fs'
import { newestRelease, releaseDates } from '../../generated/operations.ts'
import type { ServiceCommand } from './service_command.ts'

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return version
}

export function addVersionCommand(program: ServiceCommand): void {
  program
    .command('version')
    .description('show the release and the protocol versions that it supports')
    .run((context) => {
      const [version, { node }] = [packageVersion(), process.versions]
      context.result({ version, protocol: newestRelease, protocols: [...releaseDates], node }, () => [
        `workspace-service ${version}`,
        `protocol ${newestRelease} (also ${releaseDates.filter((date) => date !== newestRelease).join(', ') || 'none'})`,
        `Node.js ${node}`,
      ])
    })
}
