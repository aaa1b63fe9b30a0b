/** The scripts of the site's pages. They are independent of one another, and pages are complete without them. */

import { offerCopies } from './copies.ts'
import { foldMenu } from './menu.ts'
import { keepRelease } from './release.ts'
import { enableSearch } from './search.ts'
import { tabSamples } from './tabs.ts'
import { chooseTheme } from './theme.ts'
import { addCallForm } from './call_form.ts'

keepRelease()
chooseTheme()
foldMenu()
tabSamples()
addCallForm()
offerCopies()
enableSearch()
