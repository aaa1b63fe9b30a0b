import type { JSX } from 'preact'

/** Why something could not be shown or done. */
export function Trouble({ message, retry }: { readonly message: string; readonly retry?: () => void }): JSX.Element {
  return (
    <div class="notice" role="alert">
      <p>{message}</p>
      {retry && <button onClick={retry}>Try again</button>}
    </div>
  )
}
