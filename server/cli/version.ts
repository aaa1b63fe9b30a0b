import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { releaseDates } from '../../generated/operations.ts'
import { deskOf } from './desk.ts'

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return version
}

export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('show the release and the protocol versions that it supports')
    .action((_options: object, command: Command) => {
      const [latest = ''] = releaseDates.toSorted().reverse()
      deskOf(command).output.result(
        { version: packageVersion(), protocol: latest, protocols: [...releaseDates], node: process.versions.node },
        () => [
          `workspace-service ${packageVersion()}`,
          `protocol ${latest} (also ${releaseDates.filter((date) => date !== latest).join(', ') || 'none'})`,
          `Node.js ${process.versions.node}`,
        ],
      )
    })
}
