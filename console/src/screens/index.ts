import type { ConsoleSession } from '../../../generated/console_types.ts'
import { Agents } from './agents.tsx'
import { AuditLog } from './audit.tsx'
import { Connections } from './connections.tsx'
import { InternalConnections } from './internal_connections.tsx'
import { OAuthApps } from './oauth_apps.tsx'
import { Access } from './access.tsx'
import { Groups } from './groups.tsx'
import { Members } from './members.tsx'
import { RateLimits } from './rate_limits.tsx'
import { Requests } from './requests.tsx'
import type { ScreenEntry } from './screen.ts'
import { SignIn } from './sign_in.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'

const everybody = (): boolean => true
const members = ({ workspaces }: ConsoleSession): boolean => workspaces.some(({ role }) => role === 'owner' || role === 'member')
const owners = ({ workspaces }: ConsoleSession): boolean => workspaces.some(({ role }) => role === 'owner')

/** The screens, in the order of the menu. The first is the start. */
export const screens: readonly [ScreenEntry, ...ScreenEntry[]] = [
  { path: '/connections', title: 'Connections', section: 'You', isFor: everybody, Screen: Connections },
  { path: '/agents', title: 'Agents', section: 'You', isFor: members, Screen: Agents },
  { path: '/tokens', title: 'Tokens', section: 'You', isFor: everybody, Screen: Tokens },
  { path: '/sign-in', title: 'Sign-in', section: 'You', isFor: everybody, Screen: SignIn },
  { path: '/requests', title: 'Refused requests', section: 'Develop', isFor: everybody, Screen: Requests },
  { path: '/webhooks', title: 'Webhooks', section: 'Develop', isFor: owners, Screen: Webhooks },
  { path: '/rate-limits', title: 'Rate limits', section: 'Develop', isFor: everybody, Screen: RateLimits },
  { path: '/oauth-apps', title: 'OAuth apps', section: 'Develop', isFor: owners, Screen: OAuthApps },
  {
    path: '/internal-connections',
    title: 'Internal connections',
    section: 'Develop',
    isFor: owners,
    Screen: InternalConnections,
  },
  { path: '/access', title: 'Who sees what', section: 'Workspace', isFor: owners, Screen: Access },
  { path: '/members', title: 'Members', section: 'Workspace', isFor: owners, Screen: Members },
  { path: '/groups', title: 'Groups', section: 'Workspace', isFor: owners, Screen: Groups },
  { path: '/audit', title: 'Audit log', section: 'Workspace', isFor: owners, Screen: AuditLog },
]

export function screenOf(path: string): ScreenEntry {
  return screens.find((screen) => path === screen.path || path.startsWith(`${screen.path}/`)) ?? screens[0]
}
