import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunks } from './build/chunks.ts'
import { compressedFiles } from './build/compressed.ts'
import { screenFrames } from './build/frames.ts'
import { prerenderLanding } from './build/landing.ts'
import { loadingOrder } from './build/order.ts'
import { slimPhonePlans } from './build/phone-plans.ts'
import { pagePreloads } from './build/preloads.ts'

/** The api's address under `npm run dev`. */
const backend = process.env['API_ORIGIN'] ?? 'http://localhost:3000'
const machinePaths = ['/api', '/mcp', '/health', '/livez', '/readyz', '/dev']
const proxy = {
  ...Object.fromEntries(machinePaths.map((path) => [path, backend])),
  '/ws': { target: backend.replace('http', 'ws'), ws: true },
}

export default defineConfig(({ command }) => {
  // Always build for production: a test runner's NODE_ENV must not bring in React's development code.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    plugins: [
      slimPhonePlans(),
      react(),
      tailwindcss(),
      loadingOrder(),
      prerenderLanding(),
      screenFrames(),
      pagePreloads(),
      compressedFiles(),
    ],
    server: { proxy },
    preview: { proxy },
    build: {
      // No inlined assets: the content security policy forbids inline scripts and data URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['index.html', 'landing.html'],
        output: { codeSplitting: { groups: chunks } },
      },
    },
  }
})
