import type { JSX } from 'preact'
import type { CapabilityInWords } from '../../../generated/console_types.ts'

/** What a connection may do, and what it may not. */
export function Rights({ capabilities }: { readonly capabilities: readonly CapabilityInWords[] }): JSX.Element {
  return (
    <ul class="rights">
      {capabilities.map(({ words, is_given }) => (
        <li key={words} class={is_given ? undefined : 'not'}>
          {words}
        </li>
      ))}
    </ul>
  )
}
