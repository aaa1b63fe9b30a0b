import { channel } from 'node:diagnostics_channel'

/** A value in the database that no request could have stored there. The value itself is not reported, because it may be a secret. */
export interface Damage {
  /** The table, column and path, for example `comments.rich_text[0].text`. */
  readonly place: string
  /** The id of the row, if the reader knows it. */
  readonly id: string
  readonly expected: string
}

const met = channel('workspace-service:damage')

/** Reports damage that a reader has found, each time that the value is read. */
export function reportDamage(damage: Damage): void {
  met.publish(damage)
}

/**
 * Calls a function with all damage that readers in this process find from now on.
 * @returns a function that ends the calls
 */
export function onDamage(listener: (damage: Damage) => void): () => void {
  const heard = (message: unknown): void => listener(message as Damage)
  met.subscribe(heard)
  return () => void met.unsubscribe(heard)
}
