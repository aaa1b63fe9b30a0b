export { actorOfUser, authenticate, authenticateConnection, bearerTokenIn, unauthorized } from './authenticate.ts'
export {
  authenticateClient,
  invalidClient,
  isBasic,
  requireClientCredentials,
  requireUsableClient,
} from './client_credentials.ts'
export { KnownDevices } from './devices.ts'
export { actorOfMember, fullMembershipsOf, membershipsOf, type Membership } from './memberships.ts'
export { passwordRules } from './password_rules.ts'
export { hashPassword } from './passwords.ts'
export {
  accountKey,
  checkPassword,
  closeSession,
  endBrowser,
  formToken,
  isFormToken,
  listBrowsers,
  openSession,
  replacePassword,
  SESSION_MS,
  signedInSession,
  sweepSignIns,
  useSignInLink,
  type Session,
  type SignedIn,
  type SignedInBrowser,
} from './sessions.ts'
export {
  closeItem,
  decidingRule,
  keepPrivate,
  listMemberAccess,
  listShares,
  makePrivate,
  setMemberAccess,
  share,
  unshare,
  withAncestors,
  type MemberAccess,
} from './sharing.ts'
export { knownPeople, knownRows, knownUsers } from './users/known.ts'
export { partialUser, presentUserValue } from './users/present.ts'
export { listUsers, retrieveMe, retrieveUser } from './users/users.ts'
