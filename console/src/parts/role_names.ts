import type { ConsoleWorkspace } from '../../../generated/console_types.ts'

export type MemberRole = ConsoleWorkspace['role']

export const ROLE_NAMES: Readonly<Record<MemberRole, string>> = {
  owner: 'owner',
  member: 'member',
  restricted: 'restricted member',
  guest: 'guest',
}

/** The roles, from the most access to the least, with what each allows. */
export const ROLE_MEANINGS: readonly (readonly [role: MemberRole, words: string])[] = [
  ['owner', 'Manages the workspace here, and has full access to everything that no rule closes.'],
  [
    'member',
    'Has full access to everything that no rule closes, and may authorize connections and hold tokens if the workspace allows it.',
  ],
  ['restricted', 'Sees only what rules open, and can neither hold tokens nor authorize connections.'],
  ['guest', 'Like a restricted member, and known only to people who see one of the same pages.'],
]
