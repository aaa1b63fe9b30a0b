import { memberOf, roleOf } from '../shared/index.ts'
import { findCopyablePage } from '../data/index.ts'
import { gatherFacts, plainText, type FactScope, type StoredRichText } from '../content/index.ts'
import type { Connection } from '../../store/database.ts'
import type { MembershipRow } from '../../store/members.ts'
import { installableWorkspaces } from './consent.ts'
import { findPicks, searchPages, type PickerItem, type PickerResults } from './picker.ts'
import type { AuthorizationRequest } from './request.ts'

/** The member's choices so far. */
interface Choices {
  readonly workspaceId: string | undefined
  readonly search: string
  readonly pageIds: readonly string[]
}

interface NamedWorkspace {
  readonly id: string
  readonly name: string
}

/** The options from which the member can choose. */
interface Offer {
  readonly workspaces: readonly NamedWorkspace[]
  /** The chosen workspace. If none was chosen, or one that is not offered, the first one. */
  readonly workspace: NamedWorkspace
  readonly picks: readonly PickerItem[]
  readonly results: PickerResults
  /** The title of the connection's template page, or undefined. */
  readonly template: string | undefined
}

/** The content of the consent page. @throws AuthorizationRedirect if there is no workspace to choose */
export async function findOffer(
  db: Connection,
  request: AuthorizationRequest,
  personId: string,
  choices: Choices,
): Promise<Offer> {
  const memberships = await installableWorkspaces(db, request, personId)
  const chosen = memberships.find(({ workspace_id: id }) => id === choices.workspaceId) ?? memberships[0]
  if (!chosen) throw new Error('a member without workspaces was let through')
  const scope: FactScope = { db, actor: memberOf(chosen.workspace_id, personId, roleOf(chosen.role)), baseUrl: '' }
  const picks = await findPicks(scope, choices.pageIds)
  return {
    workspaces: memberships.map(named),
    workspace: named(chosen),
    picks,
    results: await searchPages(scope, choices.search, new Set(picks.map(({ id }) => id))),
    template: await templateTitle(scope, request),
  }
}

function named({ workspace_id: id, workspace_name: name }: MembershipRow): NamedWorkspace {
  return { id, name: name ?? 'Workspace without a name' }
}

async function templateTitle(scope: FactScope, { client }: AuthorizationRequest): Promise<string | undefined> {
  const page =
    client.templatePageId === null ? undefined : await findCopyablePage(scope.db, client.workspaceId, client.templatePageId)
  if (!page) return undefined
  const title = page.content['title'] as StoredRichText
  return plainText(title, await gatherFacts(scope, [title])) || 'Untitled'
}
