import { createHmac } from 'node:crypto'
import { isSameDigest } from '../../kernel/is_same_digest.ts'
import { newSecret } from '../secrets.ts'

const COOKIE = /^(device_[0-9A-Za-z]+)_([0-9a-f]{32})$/

/**
 * Browsers in which someone has signed in before. Such a browser holds a name and its signature, for one account; nothing is stored.
 * It grants no access: it only has sign-in attempts of its own, which nobody else can use up.
 */
export class KnownDevices {
  readonly #secret: Uint8Array

  /** @param secret of the deployment */
  constructor(secret: Uint8Array) {
    this.#secret = secret
  }

  /** What a browser keeps after a sign-in: the name that it has for this account already, or a new one. */
  cookieFor(account: string, cookie: string | undefined): string {
    const device = this.recognise(account, cookie) ?? newSecret('device')
    return `${device}_${this.#sign(account, device)}`
  }

  /**
   * @param account what names the account in counts of attempts
   * @returns the name of the browser, or undefined when it is not known for this account
   */
  recognise(account: string, cookie: string | undefined): string | undefined {
    const [, device, signature] = COOKIE.exec(cookie ?? '') ?? []
    if (device === undefined || signature === undefined) return undefined
    return isSameDigest(Buffer.from(this.#sign(account, device)), Buffer.from(signature)) ? device : undefined
  }

  #sign(account: string, device: string): string {
    return createHmac('sha256', this.#secret).update(`${account} ${device}`).digest('hex').slice(0, 32)
  }
}
