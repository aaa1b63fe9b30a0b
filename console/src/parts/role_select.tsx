import type { JSX } from 'preact'
import { ROLE_MEANINGS, ROLE_NAMES, type MemberRole } from './role_names.ts'

interface RoleSelectProps {
  readonly role: MemberRole
  readonly change: (role: MemberRole) => void
}

/** Chooses a role, and says what it allows. */
export function RoleSelect({ role, change }: RoleSelectProps): JSX.Element {
  return (
    <>
      <label class="field">
        Role
        <select value={role} onChange={({ currentTarget }) => change(ROLE_MEANINGS[currentTarget.selectedIndex]?.[0] ?? 'guest')}>
          {ROLE_MEANINGS.map(([one]) => (
            <option key={one} value={one}>
              {ROLE_NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <p class="small soft">{ROLE_MEANINGS.find(([one]) => one === role)?.[1]}</p>
    </>
  )
}
