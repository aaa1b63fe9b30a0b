import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { FoundItem } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { EmptyState } from '../parts/empty_state.tsx'
import { ItemAccessView } from '../parts/item_access_view.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link, navigate } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const PATH = /^\/access\/([\da-f-]{36})$/

/** Finds a page or database, or shows who has access to the one that the path names. */
export function Access({ path, query, session }: ScreenProps): JSX.Element {
  const id = PATH.exec(path)?.[1]
  if (id !== undefined) return <ItemAccessView key={id} id={id} personId={session.person_id} />
  return <Finder key={query.get('text')} text={query.get('text') ?? ''} />
}

function Finder({ text }: { readonly text: string }): JSX.Element {
  const load = () => consoleData(api.GET('/items', { params: { query: text === '' ? {} : { text } } }))
  const { data, error, reload } = useLoaded(load)
  return (
    <>
      <ScreenHeader title="Who sees what">
        Find a page or database to see who has access to it, and why, and to change that.
      </ScreenHeader>
      <SearchForm text={text} />
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data?.results.length === 0 && (
        <EmptyState title={text === '' ? 'No pages yet' : 'Nothing was found'}>
          <p>
            {text === ''
              ? 'Pages and databases to which you have full access appear here as soon as somebody creates them.'
              : 'Try other words of the title, or paste the link of the page. Pages that a rule closes to you are not found.'}
          </p>
        </EmptyState>
      )}
      {data && data.results.length > 0 && <h2 class="part-title">{text === '' ? 'Edited last' : 'Found'}</h2>}
      <ul class="rows">
        {data?.results.map((item) => (
          <Row key={item.id} {...item} />
        ))}
      </ul>
      {data?.has_more && <p class="small soft more">Others are not listed. Add words to narrow the search.</p>}
    </>
  )
}

function SearchForm({ text }: { readonly text: string }): JSX.Element {
  const [wanted, setWanted] = useState(text)
  const search = (event: Event): void => {
    event.preventDefault()
    const words = wanted.trim()
    navigate(words === '' ? '/access' : `/access?${new URLSearchParams({ text: words })}`)
  }
  return (
    <form class="find" role="search" onSubmit={search}>
      <label class="field grow">
        Title, link or id
        <input
          type="search"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          maxLength={2000}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      <button class="main">Find</button>
    </form>
  )
}

function Row({ id, kind, title, icon, container, workspace }: FoundItem): JSX.Element {
  return (
    <li>
      <div class="grow">
        <h3>
          {icon !== null && <span aria-hidden="true">{icon} </span>}
          <Link to={`/access/${id}`}>{title}</Link>
        </h3>
        <p class="small soft">
          {kind === 'page' ? 'Page' : 'Database'}
          {container !== null && ` in ${container}`} · {workspace?.name ?? 'A workspace without a name'}
        </p>
      </div>
    </li>
  )
}
