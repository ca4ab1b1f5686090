import {
  CALL_MINUTES_MAX,
  CALL_MINUTES_MIN,
  RETENTION_DAYS_MAX,
  RETENTION_DAYS_MIN,
  SETTINGS_LANGUAGES,
  TONES,
  VOICES,
  type Sent,
  type UserSettings,
} from '@parley/contract'
import { accountsRoutes, noticesRoutes } from '@parley/contract/page'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Controller, useForm, useWatch, type Control } from 'react-hook-form'
import { changedOf } from '../../../lib/form.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { keyOf, read } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { optionsOf, Select } from '../../../ui/form/Select.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { Switch } from '../../../ui/form/Switch.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { DeviceNotifications } from './DeviceNotifications.tsx'
import { ListenButton } from './ListenButton.tsx'
import { WebhookPanel } from './WebhookPanel.tsx'

const wholeNumber = (text: unknown) => Number.parseInt(String(text), 10)

type Change = Sent<(typeof accountsRoutes.changeSettings)['body']>

const settingsQuery = (userId: string) => read(accountsRoutes.getSettings, { params: { id: userId } })

export function CallSettings({ userId }: { readonly userId: string }) {
  const { settings } = useWords()
  const loaded = useQuery(settingsQuery(userId))
  if (loaded.data) return <SettingsForm userId={userId} saved={loaded.data} />
  if (loaded.error)
    return (
      <ErrorState
        title={settings.calls.loadFailed}
        retrying={loaded.isFetching}
        onRetry={() => void loaded.refetch()}
      />
    )
  return (
    <>
      <LoadingCard title={settings.calls.title} className="h-68" />
      <LoadingCard title={settings.notifications.title} className="h-36" />
    </>
  )
}

function LoadingCard({ title, className }: { readonly title: string; readonly className: string }) {
  return (
    <Card aria-busy="true">
      <CardTitle title={title} />
      <Skeleton className={className} />
    </Card>
  )
}

/** Call defaults and notifications: two cards, one form and one save button. */
function SettingsForm({ userId, saved }: { readonly userId: string; readonly saved: UserSettings }) {
  const { common, settings } = useWords()
  const { calls } = settings
  const client = useQueryClient()
  const form = useForm<UserSettings>({ values: saved, resetOptions: { keepDirtyValues: true } })
  const { dirtyFields } = form.formState
  const saving = useMutation({
    mutationFn: (body: Change) => request(accountsRoutes.changeSettings, { params: { id: userId }, body }),
    onSuccess: (changed) => {
      form.reset(changed)
      client.setQueryData(settingsQuery(userId).queryKey, changed)
      // Each URL has its own signing secret.
      void client.invalidateQueries({ queryKey: keyOf(noticesRoutes.webhook) })
      toast({ tone: 'success', title: calls.savedTitle, description: calls.saved })
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, calls.failed) }),
  })
  return (
    <form
      onSubmit={form.handleSubmit((values) => saving.mutate(changedOf(values, dirtyFields)))}
      className="grid gap-6"
    >
      <Card>
        <CardTitle title={calls.title} lead={calls.lead} />
        <DefaultFields control={form.control} />
        <KeepingFields control={form.control} />
        <Button type="submit" className="mt-6" pending={saving.isPending}>
          {saving.isPending ? calls.saving : calls.save}
        </Button>
      </Card>
      <NotificationsCard control={form.control} userId={userId} savedUrl={saved.webhookUrl} />
    </form>
  )
}

function DefaultFields({ control }: { readonly control: Control<UserSettings> }) {
  const { calls, tones, voices, languages } = useWords().settings
  const language = useWatch({ control, name: 'defaultLanguage' })
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={calls.tone}>
        <Controller
          control={control}
          name="defaultTone"
          render={({ field }) => (
            <Select value={field.value} onValueChange={field.onChange} options={optionsOf(TONES, tones)} />
          )}
        />
      </Field>
      <Field label={calls.maxDuration}>
        <Input
          type="number"
          inputMode="numeric"
          required
          min={CALL_MINUTES_MIN}
          max={CALL_MINUTES_MAX}
          className="tabular"
          {...control.register('defaultMaxDurationMinutes', { setValueAs: wholeNumber })}
        />
      </Field>
      <Field label={calls.voice}>
        <Controller
          control={control}
          name="defaultVoiceId"
          render={({ field }) => (
            <div className="flex flex-wrap gap-2">
              <div className="min-w-0 flex-1 basis-36">
                <Select value={field.value} onValueChange={field.onChange} options={optionsOf(VOICES, voices)} />
              </div>
              <ListenButton voice={field.value} language={language} />
            </div>
          )}
        />
      </Field>
      <Field label={calls.language}>
        <Controller
          control={control}
          name="defaultLanguage"
          render={({ field }) => (
            <Select
              value={field.value}
              onValueChange={field.onChange}
              options={optionsOf(SETTINGS_LANGUAGES, languages)}
            />
          )}
        />
      </Field>
      <div className="sm:col-span-2">
        <Controller
          control={control}
          name="autoDetectLanguage"
          render={({ field }) => (
            <Switch
              label={calls.autoDetect}
              hint={calls.autoDetectHint}
              checked={field.value}
              onCheckedChange={field.onChange}
            />
          )}
        />
      </div>
    </div>
  )
}

/** Recording and retention. */
function KeepingFields({ control }: { readonly control: Control<UserSettings> }) {
  const { calls } = useWords().settings
  return (
    <div className="mt-6 grid gap-5 border-t border-line pt-6">
      <Controller
        control={control}
        name="recordCalls"
        render={({ field }) => (
          <Switch label={calls.record} hint={calls.recordHint} checked={field.value} onCheckedChange={field.onChange} />
        )}
      />
      <Field label={calls.retention} hint={calls.retentionHint} className="sm:max-w-xs">
        <Input
          type="number"
          inputMode="numeric"
          required
          min={RETENTION_DAYS_MIN}
          max={RETENTION_DAYS_MAX}
          className="tabular"
          {...control.register('retentionDays', { setValueAs: wholeNumber })}
        />
      </Field>
    </div>
  )
}

interface NotificationsProps {
  readonly control: Control<UserSettings>
  readonly userId: string
  readonly savedUrl: string | null
}

function NotificationsCard({ control, userId, savedUrl }: NotificationsProps) {
  const { notifications } = useWords().settings
  return (
    <Card>
      <CardTitle title={notifications.title} lead={notifications.lead} />
      <div className="grid gap-5">
        <Controller
          control={control}
          name="emailNotifications"
          render={({ field }) => (
            <Switch
              label={notifications.email}
              hint={notifications.emailHint}
              checked={field.value}
              onCheckedChange={field.onChange}
            />
          )}
        />
        <DeviceNotifications />
        <Field label={notifications.webhook} hint={notifications.webhookHint}>
          <Input
            type="url"
            inputMode="url"
            autoComplete="url"
            placeholder={notifications.webhookPlaceholder}
            {...control.register('webhookUrl')}
          />
        </Field>
        {savedUrl !== null && <WebhookPanel key={savedUrl} userId={userId} url={savedUrl} />}
      </div>
    </Card>
  )
}
