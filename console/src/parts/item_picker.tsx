import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { InternalConnectionDetails, ShareableItem } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useAct } from '../use_act.ts'
import { useDelayed } from '../use_delayed.ts'
import { useLoaded } from '../use_loaded.ts'
import { Dialog } from './dialog.tsx'
import { Trouble } from './trouble.tsx'

interface ItemPickerProps {
  readonly connectionId: string
  readonly show: (details: InternalConnectionDetails) => void
  readonly close: () => void
}

/** Finds pages and databases by their titles, and shares them with a connection. */
export function ItemPicker({ connectionId, show, close }: ItemPickerProps): JSX.Element {
  const [text, setText] = useState('')
  const words = useDelayed(text.trim())
  const params = { path: { connection_id: connectionId }, query: words === '' ? {} : { text: words } }
  const load = () => consoleData(api.GET('/internal_connections/{connection_id}/items', { params }))
  const { data, error, reload } = useLoaded(load, words)
  const shared = (details: InternalConnectionDetails): void => {
    show(details)
    reload()
  }
  return (
    <Dialog title="Share pages and databases" close={close}>
      <label class="field">
        Title
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} maxLength={200} />
      </label>
      <p class="small soft">
        Only those to which you have full access are listed. Everything below a shared page is shared, too.
      </p>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data?.results.length === 0 && (
        <p class="soft" role="status">
          {words === '' ? 'There is nothing else that you can share.' : 'Nothing that you can share has this title.'}
        </p>
      )}
      <ul class="rows picks">
        {data?.results.map((item) => (
          <Choice key={item.id} connectionId={connectionId} item={item} show={shared} />
        ))}
      </ul>
      {data?.has_more && <p class="small soft">Others match, too. Type more of the title.</p>}
      <div class="actions">
        <button onClick={close}>Done</button>
      </div>
    </Dialog>
  )
}

interface ChoiceProps extends Pick<ItemPickerProps, 'connectionId' | 'show'> {
  readonly item: ShareableItem
}

function Choice({ connectionId, item, show }: ChoiceProps): JSX.Element {
  const { id, kind, title, icon, container } = item
  const { isBusy, error, run } = useAct(async () => {
    const params = { path: { connection_id: connectionId } }
    show(await consoleData(api.POST('/internal_connections/{connection_id}/shares', { params, body: { item_id: id } })))
  })
  return (
    <li>
      <div class="grow">
        <h3>
          {icon !== null && <span aria-hidden="true">{icon} </span>}
          {title}
        </h3>
        <p class="small soft">
          {kind === 'database' ? 'Database' : 'Page'}
          {container !== null && ` in ${container}`}
        </p>
        {error !== undefined && <Trouble message={error} />}
      </div>
      <button disabled={isBusy} onClick={() => void run()}>
        Share<span class="hidden"> {title}</span>
      </button>
    </li>
  )
}
