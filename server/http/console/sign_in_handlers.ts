import { describeOwnAccount, recordAccountAct } from '../../domain/administration/index.ts'
import {
  accountKey,
  checkPassword,
  endBrowser,
  formToken,
  hashPassword,
  listBrowsers,
  passwordRules,
  replacePassword,
} from '../../domain/people/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { findCookie } from '../oauth/cookies.ts'
import { isSecureSite } from '../oauth/browser.ts'
import { networkOf } from '../network_of.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import { timeText } from './time_text.ts'

type Any = Pick<ConsoleCall<'retrieveSession'>, 'deps' | 'session' | 'now'>

/** The operations about the signed-in person, and about the browsers and the password of that person. */
export const signInHandlers: ConsoleHandlers<
  'retrieveSession' | 'updatePassword' | 'listBrowserSessions' | 'deleteBrowserSession'
> = {
  async retrieveSession({ deps, session }) {
    const { hasPassword, workspaces } = await deps.database.read((db) => describeOwnAccount(db, session.personId))
    return {
      object: 'console_session',
      person_id: session.personId,
      email: session.email,
      has_password: hasPassword,
      csrf_token: formToken(session.secret),
      workspaces: workspaces.map(({ id, name, role, mayHoldTokens }) => ({ id, name, role, may_hold_tokens: mayHoldTokens })),
    }
  },
  async updatePassword(call) {
    const { deps, session, now } = call
    await requireCurrentPassword(call)
    const complaint = (await passwordRules())(call.body.new_password, session.email)
    if (complaint !== undefined) throw wrongField('new_password', complaint)
    const password = await hashPassword(call.body.new_password)
    await deps.database.write(async (db) => {
      await replacePassword(db, session, password)
      const { personId, email } = session
      await recordAccountAct(
        db,
        { personId, action: 'password.changed', object: { type: 'user', id: personId, name: email } },
        now,
      )
    })
    return listOf(call)
  },
  listBrowserSessions: listOf,
  async deleteBrowserSession(call) {
    const { deps, session, path, now } = call
    const isEnded = await deps.database.write(async (db) => {
      if (!(await endBrowser(db, session, path.session_id, now))) return false
      const { personId, email } = session
      await recordAccountAct(
        db,
        { personId, action: 'browser_session.ended', object: { type: 'browser_session', name: email } },
        now,
      )
      return true
    })
    if (!isEnded) throw new ServiceError('object_not_found', { message: 'This session has ended already.' })
    return listOf(call)
  },
}

async function listOf({ deps, session, now }: Any): Promise<ConsoleResponse<'listBrowserSessions'>> {
  const browsers = await deps.database.read((db) => listBrowsers(db, session, now))
  return {
    object: 'list',
    type: 'browser_session',
    results: browsers.map(({ id, isCurrent, userAgent, createdTime, expiresTime }) => ({
      object: 'browser_session',
      id,
      is_current: isCurrent,
      user_agent: userAgent,
      created_time: timeText(createdTime),
      expires_time: timeText(expiresTime),
    })),
  }
}

/** Checks the current password. Attempts are limited as on the sign-in page. */
async function requireCurrentPassword({ deps, session, body, context }: ConsoleCall<'updatePassword'>): Promise<void> {
  const { hasPassword } = await deps.database.read((db) => describeOwnAccount(db, session.personId))
  if (!hasPassword) return
  const [account, address] = [accountKey(session.email), networkOf(context.remote.address)]
  const device = deps.devices.recognize(account, findCookie(context.request, 'device', isSecureSite(deps.baseUrl())))
  await deps.rateLimiter.chargeSignIn({ account, address, device })
  const current = body.current_password ?? ''
  if (await checkPassword(async (work) => deps.database.read(work), session.email, current)) return
  await deps.rateLimiter.chargeFailedAuthentication(address)
  throw wrongField('current_password', 'The current password is wrong.')
}

function wrongField(name: string, message: string): ServiceError {
  return new ServiceError('validation_error', {
    message,
    complaints: [{ path: `body.${name}`, claim: 'should be another password' }],
  })
}
