import { render } from 'preact'
import { App } from './app.tsx'
import { followKeys } from './keys.ts'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
followKeys()
