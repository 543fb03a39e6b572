"""The machine's Chromium, and the flags that tests start it with."""

import os
import shutil

CHROMIUM = next(
    (
        path
        for name in (os.environ.get("PLI_CHROMIUM", ""), "chromium", "chromium-browser")
        if name and (path := shutil.which(name))
    ),
    None,
)
"""Its path: the installed one, since none is ever downloaded."""

FEATURES_OFF = [
    # Two hidden pages for the address bar of every new window, which cost more than a page of ours.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    # What Playwright switches off: of two lists Chromium reads the last one only.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
]

FLAGS = [
    f"--disable-features={','.join(FEATURES_OFF)}",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]
