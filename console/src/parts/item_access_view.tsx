import type { JSX } from 'preact'
import { api, base, consoleData } from '../api.ts'
import { Link } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import { AccessPeople } from './access_people.tsx'
import { AccessRules } from './access_rules.tsx'
import { AccessShares } from './access_shares.tsx'
import { ScreenHeader } from './screen_header.tsx'
import { Trouble } from './trouble.tsx'

interface ItemAccessViewProps {
  readonly id: string
  /** The id of the signed-in person. */
  readonly personId: string
}

/** Who has access to one page or database, and why. */
export function ItemAccessView({ id, personId }: ItemAccessViewProps): JSX.Element {
  const load = () => consoleData(api.GET('/items/{item_id}/access', { params: { path: { item_id: id } } }))
  const { data, error, set, reload } = useLoaded(load)
  return (
    <>
      <ScreenHeader
        title={data?.item.title ?? 'Who sees this'}
        action={data && <a class="button" href={`${base}/${id.replaceAll('-', '')}`}>{`Open the ${data.kind}`}</a>}
      >
        {data && `Who has access to this ${data.kind} in ${data.workspace?.name ?? 'a workspace without a name'}, and why. `}
        <Link to="/access">Find another</Link>
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data && !data.may_change && (
        <p class="reason small">
          You need full access to this {data.kind} to change who sees it. Somebody who has it can give it to you.
        </p>
      )}
      {data && (
        <>
          <AccessRules access={data} show={set} />
          <AccessPeople access={data} show={set} personId={personId} />
          <AccessShares access={data} show={set} />
        </>
      )}
    </>
  )
}
