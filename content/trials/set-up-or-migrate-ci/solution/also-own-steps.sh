#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Two workflow files of their own steps: what builds, and what builds and publishes on a tag, by one composite action.
set -euo pipefail
mkdir -p .github/actions/build
cat > .github/actions/build/action.yml <<'YML'
name: build
description: Lint, Unit, Integration, Package
inputs:
  channel:
    description: stable, beta or nightly
    required: true
runs:
  using: composite
  steps:
    - name: Lint
      shell: bash
      run: ./ci/lint.sh --strict orders tests
    - name: Unit
      shell: bash
      run: ./ci/test.sh tests/unit reports/unit.xml
    - name: Integration
      shell: bash
      run: ./ci/test.sh tests/integration reports/integration.xml --run-slow
    - name: Package
      shell: bash
      env:
        CHANNEL: ${{ inputs.channel }}
      run: ./ci/package.sh --notes --epoch 1700000000
    - name: Keep the packages
      uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02
      with:
        name: dist
        path: dist/*.tar.gz
        retention-days: 30
    - name: Keep the reports
      if: always()
      uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02
      with:
        name: reports
        path: reports/*.xml
        retention-days: 30
YML
head_of() { cat <<'YML'
permissions:
  contents: read
concurrency:
  group: ${{ github.workflow }}-${{ github.ref }}
  cancel-in-progress: false
env:
  ORDERS_REGION: at
  PYTHONHASHSEED: "0"
YML
}
inputs() { cat <<'YML'
  workflow_dispatch:
    inputs:
      CHANNEL:
        type: choice
        options: [stable, beta, nightly]
        default: stable
      DRY_RUN:
        type: boolean
        default: false
YML
}
{ cat <<'YML'
name: build
on:
  push:
    branches: [main, "release/*"]
  pull_request:
    branches: [main, "release/*"]
  schedule:
    - cron: "30 1 * * 1-5"
YML
inputs
head_of
cat <<'YML'
jobs:
  build:
    if: github.ref_type != 'tag'
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8
        with:
          persist-credentials: false
      - uses: ./.github/actions/build
        with:
          channel: ${{ github.event_name == 'schedule' && 'nightly' || inputs.CHANNEL || 'stable' }}
YML
} > .github/workflows/build.yml
{ printf 'name: release\non:\n  push:\n    tags: ["v*"]\n'
inputs
head_of
cat <<'YML'
jobs:
  Publish:
    if: startsWith(github.ref, 'refs/tags/v')
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8
        with:
          persist-credentials: false
      - uses: ./.github/actions/build
        with:
          channel: ${{ inputs.CHANNEL || 'stable' }}
      - name: Send the package
        env:
          CHANNEL: ${{ inputs.CHANNEL || 'stable' }}
          DRY_RUN: ${{ inputs.DRY_RUN || false }}
          DEPLOY_KEY: ${{ secrets.ORDERS_DEPLOY_KEY }}
        run: ./ci/publish.sh --verify
YML
} > .github/workflows/release.yml
python3 "$SHARED/papers.py" .github/workflows/build.yml .github/workflows/release.yml .github/actions/build/action.yml
