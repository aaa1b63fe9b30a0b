import { createHmac } from 'node:crypto'
import { isSameDigest } from '../../kernel/is_same_digest.ts'
import { newSecret } from '../shared/index.ts'

const COOKIE = /^(device_[0-9A-Za-z]+)_([0-9a-f]{32})$/

/**
 * Recognizes browsers in which someone has signed in before. The cookie of such a browser contains a signed id for one account;
 * the server stores nothing. The cookie grants no access: it only gives the browser its own limit of sign-in attempts, which
 * others cannot use up.
 */
export class KnownDevices {
  readonly #secret: Uint8Array

  /** @param secret the secret of the deployment */
  constructor(secret: Uint8Array) {
    this.#secret = secret
  }

  /** The cookie to set after a sign-in. It contains the browser's existing id for this account, or a new one. */
  cookieFor(account: string, cookie: string | undefined): string {
    const device = this.recognize(account, cookie) ?? newSecret('device')
    return `${device}_${this.#sign(account, device)}`
  }

  /**
   * @param account the key of the account in counts of attempts
   * @returns the id of the browser, or undefined if it is not known for this account
   */
  recognize(account: string, cookie: string | undefined): string | undefined {
    const [, device, signature] = COOKIE.exec(cookie ?? '') ?? []
    if (device === undefined || signature === undefined) return undefined
    return isSameDigest(Buffer.from(this.#sign(account, device)), Buffer.from(signature)) ? device : undefined
  }

  #sign(account: string, device: string): string {
    return createHmac('sha256', this.#secret).update(`${account} ${device}`).digest('hex').slice(0, 32)
  }
}
