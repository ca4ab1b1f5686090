{{- define "parley.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}-parley
{{- end }}

{{- define "parley.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: parley-{{ .root.Chart.Version }}
{{- end }}

{{- /* How many voice nodes there can be: each has a service of its own. */ -}}
{{- define "parley.voiceMax" -}}
{{ if .Values.autoscaling.enabled }}{{ .Values.autoscaling.maxReplicas }}{{ else }}{{ .Values.voice.replicas }}{{ end }}
{{- end }}

{{- define "parley.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "parley.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* The same for every role; what is secret comes from the Secret. */ -}}
{{- define "parley.env" -}}
- { name: PARLEY_ENV, value: production }
- { name: PARLEY_ROLE, value: {{ .role }} }
- { name: PUBLIC_URL, value: {{ .root.Values.publicUrl | quote }} }
- { name: CARRIER, value: {{ .root.Values.carrier | quote }} }
- { name: S3_BUCKET, value: {{ .root.Values.s3.bucket | quote }} }
- { name: S3_REGION, value: {{ .root.Values.s3.region | quote }} }
- { name: S3_ENDPOINT, value: {{ .root.Values.s3.endpoint | quote }} }
- { name: BEHIND_PROXY, value: {{ ternary "on" "off" .root.Values.ingress.enabled | quote }} }
- { name: TRUSTED_PROXIES, value: {{ .root.Values.api.trustedProxies | quote }} }
{{- range $name, $value := .root.Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
