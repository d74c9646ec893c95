"""The five catalogues of technologies, by category."""

from dataclasses import dataclass

from components.records import Technology, TechnologyCategory
from site_app.core.i18n import t, tc


@dataclass(frozen=True)
class TechnologyCatalogue:
    slug: str
    categories: tuple[TechnologyCategory, ...]

    def pick(self, *slugs: str) -> tuple[TechnologyCategory, ...]:
        """Returns only these categories, in this order."""
        by_slug = {category.slug: category for category in self.categories}
        return tuple(by_slug[slug] for slug in slugs)


def web_technologies() -> TechnologyCatalogue:
    return _catalogue(
        "web",
        _category(
            "frontend", t("In the browser"), typescript="TypeScript", react="React", vue="Vue", svelte="Svelte", astro="Astro"
        ),
        _category(
            "backend",
            t("On the server"),
            python="Python",
            django="Django",
            fastapi="FastAPI",
            node_js="Node.js",
            go="Go",
            php_laravel=t("PHP with Laravel"),
        ),
        _category(
            "data", tc("technology", "Data"), postgresql="PostgreSQL", mysql="MySQL", redis="Redis", opensearch="OpenSearch"
        ),
        _category(
            "hosting",
            t("Hosting"),
            aws="AWS",
            google_cloud="Google Cloud",
            azure="Azure",
            docker="Docker",
            terraform="Terraform",
        ),
        _category(
            "quality", t("Quality"), playwright="Playwright", pytest="pytest", axe="axe", sentry="Sentry", grafana="Grafana"
        ),
    )


def mobile_technologies() -> TechnologyCatalogue:
    return _catalogue(
        "mobile",
        _category("ios", "iOS", swift="Swift", swiftui="SwiftUI", xctest="XCTest"),
        _category("android", "Android", kotlin="Kotlin", jetpack_compose="Jetpack Compose", espresso="Espresso"),
        _category(
            "cross_platform",
            t("One codebase for both"),
            flutter="Flutter",
            react_native="React Native",
            kotlin_multiplatform="Kotlin Multiplatform",
        ),
        _category("device_data", t("Data on the device"), sqlite="SQLite", realm="Realm", core_data="Core Data", room="Room"),
        _category(
            "release",
            tc("technology", "Release"),
            fastlane="fastlane",
            testflight="TestFlight",
            firebase="Firebase",
            play_console="Play Console",
        ),
    )


def ai_technologies() -> TechnologyCatalogue:
    return _catalogue(
        "ai_and_deep_learning",
        _category(
            "models", t("Models and training"), pytorch="PyTorch", jax="JAX", scikit_learn="scikit-learn", xgboost="XGBoost"
        ),
        _category(
            "language",
            tc("technology", "Language models"),
            transformers="Hugging Face Transformers",
            vllm="vLLM",
            llama="Llama",
            mistral="Mistral",
            pgvector="pgvector",
        ),
        _category(
            "vision", t("Vision"), opencv="OpenCV", yolo="YOLO", segment_anything="Segment Anything", tesseract="Tesseract"
        ),
        _category(
            "data_pipelines", t("Data pipelines"), polars="Polars", dbt="dbt", airflow="Airflow", spark="Spark", duckdb="DuckDB"
        ),
        _category("operation", t("Operations"), mlflow="MLflow", onnx="ONNX", triton="Triton", kubernetes="Kubernetes"),
    )


def blockchain_technologies() -> TechnologyCatalogue:
    return _catalogue(
        "blockchain",
        _category(
            "networks", t("Networks"), ethereum="Ethereum", polygon="Polygon", arbitrum="Arbitrum", base="Base", solana="Solana"
        ),
        _category(
            "contracts",
            tc("technology", "Smart contracts"),
            solidity="Solidity",
            vyper="Vyper",
            rust="Rust",
            openzeppelin="OpenZeppelin",
        ),
        _category(
            "contract_tests",
            t("Tests and analysis"),
            foundry="Foundry",
            hardhat="Hardhat",
            slither="Slither",
            echidna="Echidna",
        ),
        _category("ledgers", t("Private ledgers"), hyperledger_fabric="Hyperledger Fabric", besu="Besu", corda="Corda"),
        _category(
            "wallets",
            t("Wallets and access"),
            viem="viem",
            ethers="ethers",
            walletconnect="WalletConnect",
            ipfs="IPFS",
            safe="Safe",
        ),
    )


def marketing_technologies() -> TechnologyCatalogue:
    return _catalogue(
        "digital_marketing",
        _category(
            "search",
            tc("technology", "Search"),
            search_console="Search Console",
            bing_webmaster="Bing Webmaster Tools",
            screaming_frog="Screaming Frog",
        ),
        _category(
            "campaigns",
            t("Campaigns"),
            google_ads="Google Ads",
            meta_ads="Meta Ads",
            linkedin_ads="LinkedIn Ads",
            line_ads="LINE Ads",
        ),
        _category(
            "measurement",
            t("Measurement"),
            matomo="Matomo",
            plausible="Plausible",
            metabase="Metabase",
            looker_studio="Looker Studio",
        ),
        _category(
            "content", t("Content and email"), wagtail="Wagtail", wordpress="WordPress", mailchimp="Mailchimp", brevo="Brevo"
        ),
        _category("design", t("Brand and design"), figma="Figma", illustrator="Illustrator", glyphs="Glyphs", penpot="Penpot"),
        _category(
            "names",
            t("Name checks"),
            tmview="TMview",
            wipo="WIPO Global Brand Database",
            companies_house="Companies House",
            whois="WHOIS",
        ),
        _category(
            "handover",
            t("Templates"),
            style_dictionary="Style Dictionary",
            powerpoint="PowerPoint",
            google_slides="Google Slides",
            word="Word",
        ),
    )


def _catalogue(slug: str, *categories: TechnologyCategory) -> TechnologyCatalogue:
    return TechnologyCatalogue(slug, categories)


def _category(slug: str, name: str, **technologies: str) -> TechnologyCategory:
    return TechnologyCategory(slug, name, tuple(Technology(key, name) for key, name in technologies.items()))
