import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parse } from 'yaml'
import {
  dispatchWebhook,
  InvalidCallError,
  InvalidWebhookError,
  receiveWebhook,
  verifyWebhook,
  type WebhookEvent,
} from '../../client/src/index.ts'

const TOKEN = 'secret_4kTqZ8mVb2Xn7RcYp1LsWd9Hf3GjUa6EoQiKyMtBvNx'
const VERIFICATION = `{"verification_token":"${TOKEN}"}`
const VERIFICATION_DIGITS = '0fa2609e06868d028d1d4f92cdf0ccfa5f9f6480ad1a607c6487817248d45de5'
const CREATED = '{"id":"5b0f5f6e-1f0a-4a3e-9a4e-8c2d6c1b7a10","type":"page.created"}'
const CREATED_DIGITS = '385afc31582edc482ed695efee3fd716ac26572b1d9c3c9aed670c4589b28373'

/** The value of the header, computed without the client. */
function sign(body: string | Uint8Array, token = TOKEN): string {
  return `sha256=${createHmac('sha256', token).update(body).digest('hex')}`
}

/** The error code of a refused request; undefined if it is accepted. */
async function refusal(...input: Parameters<typeof verifyWebhook>): Promise<string | undefined> {
  const error: unknown = await verifyWebhook(...input).then(
    () => undefined,
    (caught: unknown) => caught,
  )
  if (error !== undefined) expect(error).toBeInstanceOf(InvalidWebhookError)
  return error instanceof InvalidWebhookError ? error.code : undefined
}

const folder = 'spec/events/examples'
const examples = readdirSync(folder).map((file) => (parse(readFileSync(`${folder}/${file}`, 'utf8')) as { value: object }).value)
const events = examples.filter((value): value is WebhookEvent => 'type' in value)

describe('the client accepts a webhook request', () => {
  it.each([
    ['the verification request', VERIFICATION, VERIFICATION_DIGITS, 'verification'],
    ['an event', CREATED, CREATED_DIGITS, 'page.created'],
  ])("with the signature of the contract's test vector: %s", async (_name, body, digits, type) => {
    expect(await verifyWebhook(body, `sha256=${digits}`, TOKEN)).toEqual({ ...JSON.parse(body), type })
    expect(sign(body)).toBe(`sha256=${digits}`)
  })

  it('with upper-case digits', async () => {
    expect(await refusal(CREATED, `sha256=${CREATED_DIGITS.toUpperCase()}`, TOKEN)).toBeUndefined()
  })

  it('as text, as bytes of any kind, or as part of a larger buffer', async () => {
    const bytes = Buffer.from(CREATED)
    const larger = new TextEncoder().encode(`>>${CREATED}<<`)
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
    shared.set(bytes)
    const bodies = [CREATED, bytes, Uint8Array.from(bytes), Uint8Array.from(bytes).buffer, larger.subarray(2, -2), shared]
    for (const body of bodies) expect(await refusal(body, `sha256=${CREATED_DIGITS}`, TOKEN)).toBeUndefined()
  })

  it("with the signature in a Headers object, in Node's headers with a name in upper or lower case, or alone", async () => {
    const value = `sha256=${CREATED_DIGITS}`
    const kinds = [
      new Headers({ 'X-Service-Signature': value }),
      { 'x-service-signature': value },
      { 'X-SERVICE-Signature': [value] },
    ]
    for (const headers of [...kinds, value]) expect(await refusal(CREATED, headers, TOKEN)).toBeUndefined()
  })

  it('with the header of a branded deployment', async () => {
    const headers = { 'x-harbour-signature': `sha256=${CREATED_DIGITS}` }
    expect(await refusal(CREATED, headers, TOKEN, { headerBrand: 'Harbour' })).toBeUndefined()
    expect(await refusal(CREATED, headers, TOKEN)).toBe('missing_signature')
  })

  // If you are here because the numbers differ: an example in the folder has no `type`, which only the verification request may lack.
  it('for every event of the contract, with letters of several alphabets', async () => {
    expect(events).toHaveLength(examples.length - 1)
    for (const event of events) {
      const body = JSON.stringify({ ...event, workspace_name: 'Værft 造船所 ⛵' })
      expect(await verifyWebhook(new TextEncoder().encode(body), sign(body), TOKEN)).toEqual(JSON.parse(body))
    }
  })
})

describe('the client refuses a webhook request', () => {
  const signature = `sha256=${CREATED_DIGITS}`

  it('when any single bit of its body has changed', async () => {
    for (let index = 0; index < CREATED.length; index += 1) {
      const bytes = new TextEncoder().encode(CREATED)
      bytes[index] = (bytes[index] ?? 0) ^ 1
      expect(await refusal(bytes, signature, TOKEN)).toBe('wrong_signature')
    }
  })

  it('when the body was parsed and serialized again', async () => {
    expect(await refusal(JSON.stringify(JSON.parse(CREATED), undefined, 1), signature, TOKEN)).toBe('wrong_signature')
  })

  it('when any digit of the signature has changed', async () => {
    for (let index = 0; index < 64; index += 1) {
      const digits = [...CREATED_DIGITS]
      digits[index] = digits[index] === '0' ? '1' : '0'
      expect(await refusal(CREATED, `sha256=${digits.join('')}`, TOKEN)).toBe('wrong_signature')
    }
  })

  it('when the body was signed with another token, or a part of the token', async () => {
    for (const token of [TOKEN.slice(7), `${TOKEN}x`, TOKEN.toLowerCase()])
      expect(await refusal(CREATED, sign(CREATED, token), TOKEN)).toBe('wrong_signature')
  })

  it.each([undefined, null, {}, { 'x-service-signature': undefined }, new Headers()])(
    'without a signature: %o',
    async (headers) => {
      expect(await refusal(CREATED, headers, TOKEN)).toBe('missing_signature')
    },
  )

  it.each([
    '',
    'sha256=',
    CREATED_DIGITS,
    `sha1=${CREATED_DIGITS}`,
    `sha256=${CREATED_DIGITS}0`,
    `sha256=${CREATED_DIGITS.slice(1)}`,
    `sha256=g${CREATED_DIGITS.slice(1)}`,
    `sha256=${CREATED_DIGITS}, sha256=${CREATED_DIGITS}`,
    `sha256=${CREATED_DIGITS}\n`,
  ])('with a malformed signature: %j', async (header) => {
    expect(await refusal(CREATED, header, TOKEN)).toBe('malformed_signature')
  })

  it.each(['', 'secret', '[]', 'null', '{}', '{"type":7}', '{"verification_token":""}'])(
    'when the body is signed correctly but is not an event of the service: %s',
    async (body) => expect(await refusal(body, sign(body), TOKEN)).toBe('unreadable_body'),
  )

  it('when the body is signed correctly but is not UTF-8', async () => {
    const body = Uint8Array.from([...new TextEncoder().encode('{"type":"page.created","x":"'), 0xff, 0x22, 0x7d])
    expect(await refusal(body, sign(body), TOKEN)).toBe('unreadable_body')
  })
})

describe('the client, learning the token of a subscription,', () => {
  it('checks the verification request with the token in that request', async () => {
    const { type } = await verifyWebhook(VERIFICATION, `sha256=${VERIFICATION_DIGITS}`, undefined)
    expect(type).toBe('verification')
    expect(await refusal(VERIFICATION, sign(VERIFICATION, 'another'), undefined)).toBe('wrong_signature')
  })

  it('accepts no event before it has the token', async () => {
    expect(await refusal(CREATED, `sha256=${CREATED_DIGITS}`, undefined)).toBe('no_token')
  })

  it('refuses verification requests of other senders once it has the token', async () => {
    const other = '{"verification_token":"secret_of_a_stranger"}'
    expect(await refusal(other, sign(other, 'secret_of_a_stranger'), TOKEN)).toBe('wrong_signature')
  })
})

describe('the client, given a tolerance for the time of events,', () => {
  const hour = 3_600_000
  const sent = (age: number): [body: string, signature: string, token: string] => {
    const body = JSON.stringify({ type: 'page.created', timestamp: new Date(Date.now() - age).toISOString() })
    return [body, sign(body), TOKEN]
  }

  it('refuses events too far in the past or future', async () => {
    const options = { toleranceMilliseconds: 27 * hour }
    expect(await refusal(...sent(26 * hour), options)).toBeUndefined()
    expect(await refusal(...sent(28 * hour), options)).toBe('outside_tolerance')
    expect(await refusal(...sent(-28 * hour), options)).toBe('outside_tolerance')
    expect(await refusal(...sent(28 * hour))).toBeUndefined()
  })

  it('refuses events without a time, but not the verification request', async () => {
    const options = { toleranceMilliseconds: 0 }
    expect(await refusal(CREATED, `sha256=${CREATED_DIGITS}`, TOKEN, options)).toBe('outside_tolerance')
    expect(await refusal(VERIFICATION, `sha256=${VERIFICATION_DIGITS}`, TOKEN, options)).toBeUndefined()
  })
})

it('mistakes of the caller of the webhook check are reported as InvalidCallError', async () => {
  const parsed = JSON.parse(CREATED) as string
  const mistakes: Parameters<typeof verifyWebhook>[] = [
    [parsed, 'sha256=', TOKEN],
    [CREATED, 'sha256=', ''],
    [CREATED, 'sha256=', TOKEN, { toleranceMilliseconds: NaN }],
  ]
  for (const mistake of mistakes) await expect(verifyWebhook(...mistake)).rejects.toBeInstanceOf(InvalidCallError)
})

it('errors of the webhook check do not contain the token, even if the body does', async () => {
  const error: unknown = await verifyWebhook(VERIFICATION, sign('x'), TOKEN).catch((caught: unknown) => caught)
  expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain(TOKEN)
})

it('webhook signatures are compared by crypto.subtle.verify', async () => {
  const compared = vi.spyOn(crypto.subtle, 'verify')
  onTestFinished(() => compared.mockRestore())
  const wrong = ['0', 'f'].map((digit) => `sha256=${digit}${CREATED_DIGITS.slice(1)}`)
  const signatures = [`sha256=${CREATED_DIGITS}`, ...wrong, `sha256=${CREATED_DIGITS.slice(0, -1)}0`]
  for (const signature of signatures) {
    const refused = await refusal(CREATED, signature, TOKEN)
    const [algorithm, , bytes] = compared.mock.lastCall ?? []
    expect([refused, algorithm, Buffer.from(bytes as Uint8Array).toString('hex')]).toEqual([
      signature === signatures[0] ? undefined : 'wrong_signature',
      'HMAC',
      signature.slice('sha256='.length),
    ])
  }
  expect(compared).toHaveBeenCalledTimes(signatures.length)
  expect(await compared.mock.results[0]?.value).toBe(true)
})

describe('a webhook receiver of the client', () => {
  const request = (body: string, signature = sign(body)): Request =>
    new Request('https://planner.example/hooks', { method: 'POST', body, headers: { 'X-Service-Signature': signature } })

  it('responds with 204 after the handler for the type, and with 400 to an untrusted request', async () => {
    const seen: string[] = []
    const handlers = {
      'page.created': async (event: { readonly id: string }) => void seen.push(`created ${event.id}`),
      other: ({ type }: { readonly type: string }) => void seen.push(`other ${type}`),
    }
    expect(await receiveWebhook(request(CREATED), TOKEN, handlers)).toMatchObject({ status: 204 })
    expect(await receiveWebhook(request(VERIFICATION), TOKEN, handlers)).toMatchObject({ status: 204 })
    const refused = await receiveWebhook(request(CREATED, sign('x')), TOKEN, handlers)
    expect([refused.status, await refused.text()]).toEqual([400, 'wrong_signature'])
    expect(seen).toEqual(['created 5b0f5f6e-1f0a-4a3e-9a4e-8c2d6c1b7a10', 'other verification'])
  })

  it('ignores events without a handler, and rethrows errors of a handler', async () => {
    await expect(dispatchWebhook({ type: 'verification', verification_token: 'x' }, {})).resolves.toBeUndefined()
    const failing = { 'page.created': () => Promise.reject(new Error('full disk')) }
    await expect(receiveWebhook(request(CREATED), TOKEN, failing)).rejects.toThrow('full disk')
  })
})
