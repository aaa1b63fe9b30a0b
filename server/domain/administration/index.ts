export {
  COMMAND_LINE,
  findAuditEntries,
  findOwnedAuditEntries,
  isAuditCursor,
  type AuditEntry,
  type AuditQuery,
} from './audit_entries.ts'
export {
  recordAccountAct,
  recordAct,
  recordCommand,
  recordWrite,
  sweepEntries,
  withOrigin,
  type AuditAction,
  type AuditedObject,
  type AuditedWrite,
  type CommandAct,
} from './audit_log.ts'
export {
  createConnection,
  deleteConnection,
  regenerateInstallationToken,
  removeBot,
  removeConnection,
  requireConnection,
  rotateClientSecret,
  setConnectionEnabled,
  updateConnection,
  type ConnectionSettings,
  type InternalConnection,
  type PublicConnection,
} from './connections.ts'
export { deleteWorkspace } from './delete_workspace.ts'
export { listDiscussions, setDiscussionResolved } from './discussions.ts'
export { addEmoji, listEmojis } from './emojis.ts'
export { addToGroup, createGroup, removeFromGroup, requireGroup, updateGroup } from './groups.ts'
export { avatarOf, isPicture } from './icon.ts'
export { deleteJob, listJobs, retryJob, showJob, type ListedJob } from './jobs.ts'
export { listLimitedBots } from './limited_callers.ts'
export { nearestName, requireName } from './names.ts'
export { describeOwnAccount, type OwnAccount } from './own_account.ts'
export {
  changeRedirectUris,
  createOwnedApp,
  listAppAuthorizations,
  revokeAppAuthorization,
  rotateOwnedSecret,
  workspaceOfAuthorization,
  type AppAuthorization,
} from './owned_apps.ts'
export {
  deleteOwnedConnection,
  findOwnedConnection,
  listOwnedConnections,
  recordOnConnection,
  type OwnedConnection,
} from './owned_connections.ts'
export { createOwnedInternalConnection, rotateOwnedToken } from './owned_internal_connections.ts'
export { createOwnToken, listOwnTokens, revokeOwnToken, type OwnToken } from './own_tokens.ts'
export { addOwnedGroup, changeOwnedGroupMember, listOwnedGroups, renameOwnedGroup, type OwnedGroup } from './owned_groups.ts'
export { changeOwnedRole, inviteOwned, listOwnedMembers, removeOwned, type OwnedMember } from './owned_members.ts'
export { requireOwned, type OwnedWorkspace } from './owned_workspace.ts'
export {
  describeOwnedAccess,
  findOwnedItem,
  removeOwnedRule,
  removeOwnedShare,
  setOwnedRule,
  type OwnedItem,
  type OwnedItemAccess,
} from './owned_access.ts'
export {
  changeOwnedStatus,
  findOwnedDelivery,
  findOwnedWebhook,
  logOfOwned,
  listOwnedWebhooks,
  sendOwnedDelivery,
  type OwnedDelivery,
  type OwnedWebhook,
  type OwnedWebhookLog,
} from './owned_webhooks.ts'
export {
  changeRole,
  createPerson,
  createSignInLink,
  normalEmail,
  removePerson,
  requireMember,
  setPassword,
  setPersonTimeZone,
  type SignInLink,
} from './people.ts'
export {
  changeQuotas,
  findMiscounts,
  NO_QUOTA,
  recount,
  settleDefaultQuotas,
  showUsage,
  usageKinds,
  type Quotas,
  type UsageKind,
  type WorkspaceUsage,
} from './quotas.ts'
export { requireRedirectUris } from './redirect_uris.ts'
export {
  findRefusals,
  findVisibleRefusal,
  REFUSED_REQUESTS_MAX,
  showRefusal,
  type NamedRefusal,
  type RefusalFilter,
} from './refused_requests.ts'
export { createPersonalToken, personalTokenDays, revokeToken } from './tokens.ts'
export { forgetUnfinished, importProgress, markUnfinished, noteImportProgress, requireWhole } from './unfinished.ts'
export {
  listWebhooks,
  replayWebhook,
  requireWebhook,
  showWebhook,
  testWebhook,
  webhookLog,
  type LoggedDelivery,
  type WebhookSubscriptionRow,
} from './webhooks.ts'
export {
  createWorkspace,
  renameWorkspace,
  requireFreeName,
  requirePolicies,
  setWorkspacePolicies,
  setWorkspaceSuspended,
} from './workspaces.ts'
