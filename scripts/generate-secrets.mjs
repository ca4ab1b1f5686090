import { randomBytes } from 'node:crypto'

// Prints new secrets as lines of an .env file. Nothing is written: `npm run --silent generate-secrets >> .env`.

const names = ['AUTH_SECRET', 'VOICE_SECRET', 'POSTGRES_PASSWORD', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
for (const name of names) console.log(`${name}=${randomBytes(32).toString('base64url')}`)
