import type { ConsoleSession } from '../../../generated/console_types.ts'
import { AuditLog } from './audit.tsx'
import { Connections } from './connections.tsx'
import { RateLimits } from './rate_limits.tsx'
import { Requests } from './requests.tsx'
import type { ScreenEntry } from './screen.ts'
import { SignIn } from './sign_in.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

const everybody = (): boolean => true
const owners = ({ workspaces }: ConsoleSession): boolean => workspaces.some(({ role }) => role === 'owner')

/** The screens, in the order of the menu. The first is the start. */
export const screens: readonly [ScreenEntry, ...ScreenEntry[]] = [
  { path: '/connections', title: 'Connections', section: 'You', isFor: everybody, Screen: Connections },
  { path: '/tokens', title: 'Tokens', section: 'You', isFor: everybody, Screen: Tokens },
  { path: '/sign-in', title: 'Sign-in', section: 'You', isFor: everybody, Screen: SignIn },
  { path: '/requests', title: 'Refused requests', section: 'Develop', isFor: everybody, Screen: Requests },
  { path: '/webhooks', title: 'Webhooks', section: 'Develop', isFor: owners, Screen: Webhooks },
  { path: '/rate-limits', title: 'Rate limits', section: 'Develop', isFor: everybody, Screen: RateLimits },
  { path: '/audit', title: 'Audit log', section: 'Workspace', isFor: owners, Screen: AuditLog },
]

export function screenOf(path: string): ScreenEntry {
  return screens.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`)) ?? screens[0]
}
