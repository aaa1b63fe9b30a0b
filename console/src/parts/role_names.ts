import type { ConsoleWorkspace } from '../../../generated/console_types.ts'

export const ROLE_NAMES: Readonly<Record<ConsoleWorkspace['role'], string>> = {
  owner: 'owner',
  member: 'member',
  restricted: 'restricted member',
  guest: 'guest',
}
