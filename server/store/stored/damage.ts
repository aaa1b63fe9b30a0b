import { channel } from 'node:diagnostics_channel'

/** A value in the database that no request could have stored there. The value is not reported: it may be a secret. */
export interface Damage {
  /** `comments.rich_text[0].text` */
  readonly place: string
  /** The id of the row, if the reader knows it. */
  readonly id: string
  readonly expected: string
}

const met = channel('workspace-service:damage')

/** Reports damage that a reader has encountered, each time that it is read. */
export function reportDamage(damage: Damage): void {
  met.publish(damage)
}

/**
 * Calls a function with all damage that readers in this process encounter from now on.
 * @returns a function that ends the calls
 */
export function onDamage(listener: (damage: Damage) => void): () => void {
  const heard = (message: unknown): void => listener(message as Damage)
  met.subscribe(heard)
  return () => void met.unsubscribe(heard)
}
