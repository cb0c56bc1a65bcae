// The app that the nightly check of Next builds: App Router, Pages Router and middleware.
import { TEXT } from '../apps/sources.js'

/** The files of the app for a major version of Next. */
export function appFiles(major) {
  const hook = major >= 16 ? 'proxy' : 'middleware'
  return {
    'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
    'app/page.tsx': `import { prompts } from 'virtual:prompts'
import Button from './button'
export default function Page() {
  return <><h1>{prompts.supportTriage.version}</h1><pre>{${TEXT}}</pre><Button /></>
}
`,
    'app/button.tsx': `'use client'
import { useState } from 'react'
import { answer } from './action'
export default function Button() {
  const [text, setText] = useState('pressed')
  return <button onClick={async () => setText(await answer())}>{text}</button>
}
`,
    'app/action.ts': `'use server'
import { prompts } from 'virtual:prompts'
export async function answer() {
  return ${TEXT}
}
`,
    'app/api/prompt/route.ts': `import { prompts } from 'virtual:prompts'
export const dynamic = 'force-dynamic'
export function GET() {
  return Response.json({ version: prompts.supportTriage.version, text: ${TEXT} })
}
`,
    'pages/old.tsx': `import { prompts } from 'virtual:prompts'
export function getServerSideProps() {
  return { props: { version: prompts.supportTriage.version } }
}
export default function Old({ version }: { version: string }) {
  return <pre>{version}</pre>
}
`,
    [`${hook}.ts`]: `import { NextResponse } from 'next/server'
import { prompts } from 'virtual:prompts'
export function ${hook}() {
  const response = NextResponse.next()
  response.headers.set('x-prompt', prompts.supportTriage.version)
  return response
}
`,
  }
}

/** A client component that imports prompts when it is used, which Turbopack does not reduce. */
export const LAZY_PAGE = `'use client'
export default function Page() {
  const show = async () => alert((await import('virtual:prompts')).prompts.supportTriage.version)
  return <button onClick={show}>press</button>
}
`

/** A page that Next prerenders with the key. */
export const LEAK_PAGE = `export default function Page() {
  return <p>{process.env.PROMPTS_API_KEY}</p>
}
`

/** A client component that imports prompts. */
export const CLIENT_PAGE = `'use client'
import { useState } from 'react'
import { prompts } from 'virtual:prompts'
export default function Page() {
  const [state, setState] = useState('shown')
  return <><button onClick={() => setState('pressed')}>press</button><pre>{state} {${TEXT}}</pre></>
}
`

/** A choice between the live and the staging version of a prompt. */
export const STAGING_ROUTE = `import { prompts } from 'virtual:prompts'
import { prompts as staging } from 'virtual:prompts/staging'
export const dynamic = 'force-dynamic'
export function GET(request: Request) {
  const isEarly = request.url.includes('early')
  const triage = isEarly ? staging.supportTriage : prompts.supportTriage
  const { version, environment } = triage
  const isSame = staging.supportTriage === prompts.supportTriage
  return Response.json({ version, environment, isSame })
}
`
