import { describe, expect, it } from 'vitest'
import { requireAcceptable } from '../../../server/http/accept_header.ts'
import { findCookie } from '../../../server/http/oauth/cookies.ts'

describe('the Accept header', () => {
  const isTaken = (accept: string | undefined, successTypes: readonly string[] = ['application/json']): boolean => {
    try {
      requireAcceptable({ successTypes }, { headers: accept === undefined ? {} : { accept } })
      return true
    } catch {
      return false
    }
  }

  it.each([
    undefined,
    '',
    '  ',
    '*/*',
    'application/*',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;version="1,2"',
    'application/json;q=0.001',
    'application/json; Q=0.5',
    'text/html, */*;q=0.1',
    'text/html,application/json;q=0.9,',
    ',,application/json',
    'application/json;q=0, */*',
    'image/*;q=0, application/*;q=0.2',
    'application/json;q=1.0000',
    'application/json;q',
  ])('of %j accepts JSON', (accept) => expect(isTaken(accept)).toBe(true))

  it.each([
    'text/html',
    'application/xml',
    'application/jsonp',
    'json',
    '*',
    'application/json;q=0',
    'application/json;q=0.000',
    'application/json ; q=0',
    '*/*;q=0',
    'text/*',
    'text/plain;x="application/json, */*"',
    'application',
    '/',
    ',',
  ])('of %j does not accept JSON', (accept) => expect(isTaken(accept)).toBe(false))

  it('does not affect an operation that only redirects', () => expect(isTaken('text/html', [])).toBe(true))
})

describe('the session in a Cookie header', () => {
  const SECRET = 'session_0123456789'

  it.each([
    [`session=${SECRET}`, SECRET],
    [`a=1;session=${SECRET};b=2`, SECRET],
    [`  session=${SECRET}  `, SECRET],
    [`a; session=${SECRET}`, SECRET],
    [`session=${SECRET}; session=session_9999999999`, SECRET],
    [`session=short; session=${SECRET}`, undefined],
    [`session="${SECRET}"`, undefined],
    [`session=%73ession_0123456789`, undefined],
    [`session=${SECRET}=`, undefined],
    [`Session=${SECRET}`, undefined],
    [`__Host-session=${SECRET}`, undefined],
    [`xsession=${SECRET}`, undefined],
    ['__proto__=session; session', undefined],
    [';'.repeat(16_000), undefined],
    ['', undefined],
  ])('is found only under its exact name and with a valid value: %j', (cookie, value) =>
    expect(findCookie({ headers: { cookie } }, 'session', false)).toBe(value),
  )
})
