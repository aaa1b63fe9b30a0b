import type { JSX } from 'preact'

interface RedirectFieldProps {
  /** One address per line. */
  readonly value: string
  readonly change: (value: string) => void
}

/** Asks for the redirect addresses of an OAuth app. */
export function RedirectField({ value, change }: RedirectFieldProps): JSX.Element {
  return (
    <>
      <label class="field">
        Redirect addresses
        <textarea
          rows={3}
          value={value}
          onInput={(event) => change(event.currentTarget.value)}
          required
          spellcheck={false}
          placeholder="https://planner.example/return"
        />
      </label>
      <p class="small soft">One per line. The service sends people back to these addresses, and to no others.</p>
    </>
  )
}

export function urisIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
