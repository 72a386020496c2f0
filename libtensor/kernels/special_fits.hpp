// Written by tests/special_fits.py. Polynomials that approximate parts of special
// functions: the coefficients, in the order of the powers, of the difference to a centre.
#pragma once
#include "kernel.hpp"

namespace usmtensor {

// clang-format off
template <class T> inline constexpr T digamma_root[] = {0};
template <> inline constexpr float32 digamma_root<float32>[] = {
    0x1.762d860000000p+0f, 0x1.ab5f200000000p-27f,
};
template <> inline constexpr float64 digamma_root<float64>[] = {
    0x1.762d86356be3fp+0, 0x1.b86a722197829p-54,
};
template <class T> inline constexpr T exp_fit[] = {0};
template <> inline constexpr float32 exp_fit<float32>[] = {
    0x1.0000000000000p-1f, 0x1.5555560000000p-3f, 0x1.5554e40000000p-5f, 0x1.1110c40000000p-7f,
    0x1.6d49140000000p-10f, 0x1.a157a00000000p-13f,
};
template <> inline constexpr float64 exp_fit<float64>[] = {
    0x1.0000000000000p-1, 0x1.5555555555557p-3, 0x1.5555555555557p-5, 0x1.111111110ff8bp-7,
    0x1.6c16c16c158f9p-10, 0x1.a01a01ac9e13dp-13, 0x1.a01a01aa80dd7p-16, 0x1.71ddfff5e5177p-19,
    0x1.27e4d28896fe2p-22, 0x1.af528379e0ab0p-26, 0x1.1f82059a3ccc6p-29,
};
template <class T> inline constexpr T atanh_fit[] = {0};
template <> inline constexpr float32 atanh_fit<float32>[] = {
    0x1.5555560000000p-2f, 0x1.9999ec0000000p-3f, 0x1.245c0c0000000p-3f, 0x1.ddd9960000000p-4f,
};
template <> inline constexpr float64 atanh_fit<float64>[] = {
    0x1.5555555555555p-2, 0x1.9999999999a3ap-3, 0x1.2492492476856p-3, 0x1.c71c7201d2587p-4,
    0x1.745cf8d3ae904p-4, 0x1.3b1c3f6dc9989p-4, 0x1.0fbd8f0759b26p-4, 0x1.0c0e19c89c7cdp-4,
};
template <class T> inline constexpr T sinpi_fit[] = {0};
template <> inline constexpr float32 sinpi_fit<float32>[] = {
    0x1.921fb60000000p+1f, -0x1.4abbc40000000p+2f, 0x1.4668f00000000p+1f, -0x1.32533c0000000p-1f,
    0x1.3e15f60000000p-4f,
};
template <> inline constexpr float64 sinpi_fit<float64>[] = {
    0x1.921fb54442d18p+1, -0x1.4abbce625be52p+2, 0x1.466bc6775aa7dp+1, -0x1.32d2cce627c92p-1,
    0x1.5078348551e24p-4, -0x1.e3074dfb2a196p-8, 0x1.e8f3676d8c1c4p-12, -0x1.6f7acffa3cc5ep-16,
    0x1.9d46684861742p-21,
};
template <class T> inline constexpr T erf_fit[] = {0};
template <> inline constexpr float32 erf_fit<float32>[] = {
    0x1.20dd740000000p+0f, -0x1.81273e0000000p-2f, 0x1.ce2d180000000p-4f, -0x1.b7fb380000000p-6f,
    0x1.5416360000000p-8f, -0x1.a46b400000000p-11f, 0x1.4a9dac0000000p-14f,
};
template <> inline constexpr float64 erf_fit<float64>[] = {
    0x1.20dd750429b6dp+0, -0x1.812746b0379c1p-2, 0x1.ce2f21a040fbfp-4, -0x1.b82ce31204d17p-6,
    0x1.565bccfa6f4bep-8, -0x1.c02db06ca928fp-11, 0x1.f9a2bee1b1f05p-14, -0x1.f4ca8c11f4161p-17,
    0x1.b982295083cfcp-20, -0x1.5c14fc0842667p-23, 0x1.d777c51831224p-27, -0x1.acbabf57ef501p-31,
};
template <class T> inline constexpr T erfcx_fit[] = {0};
template <> inline constexpr float32 erfcx_fit<float32>[] = {
    0x1.40c5220000000p+0f, -0x1.15c0800000000p-3f, -0x1.85a1120000000p-5f, 0x1.0982da0000000p-3f,
    -0x1.e88d300000000p-4f, 0x1.17d31e0000000p-4f, -0x1.8557aa0000000p-6f, 0x1.4790720000000p-9f,
    0x1.eb8a6e0000000p-10f, -0x1.7cdef60000000p-11f, -0x1.84299e0000000p-14f,
    0x1.44433e0000000p-14f,
};
template <> inline constexpr float64 erfcx_fit<float64>[] = {
    0x1.40c522d7e4987p+0, -0x1.15c084bb9e8f2p-3, -0x1.85a15c58aa4f5p-5, 0x1.098366a5b4640p-3,
    -0x1.e88b803a4a881p-4, 0x1.17ca2877f2e0ap-4, -0x1.8574c40b69c6ap-6, 0x1.4b884e411d2b0p-9,
    0x1.ef1bdd0e61218p-10, -0x1.98db50c1995dap-11, -0x1.b912639d3c363p-14, 0x1.065a32b51fa50p-13,
    0x1.4c228d0f252afp-18, -0x1.513b2bf2e7a13p-16, -0x1.885c4173e8118p-21, 0x1.d20dc1d6f2168p-19,
    0x1.7dfecd6d595a4p-22, -0x1.4b09042715313p-21, -0x1.2dabcbdb3b408p-23, 0x1.b56217b9146ccp-24,
    0x1.60bcb894e79d1p-25, -0x1.c96dae03284b5p-27, -0x1.1a5abb05ab718p-27, 0x1.0f1968e597de2p-30,
    0x1.cd7350f20ad1ap-31,
};
template <class T> inline constexpr T inverse_erf_fit[] = {0};
template <class T> inline constexpr T inverse_erf_centre = 0;
template <> inline constexpr float32 inverse_erf_fit<float32>[] = {
    0x1.805c5c0000000p+0f, 0x1.f91e8c0000000p-3f, -0x1.11c3e20000000p-8f, -0x1.4866860000000p-10f,
    0x1.c9bb8e0000000p-13f, -0x1.4cd7be0000000p-18f, -0x1.cbda820000000p-19f,
    0x1.f3c0140000000p-22f, 0x1.1b3f5e0000000p-26f, -0x1.2c4c5e0000000p-27f, 0x1.de69e80000000p-32f,
};
template <> inline constexpr float32 inverse_erf_centre<float32> = 0x1.4000000000000p+1f;
template <> inline constexpr float64 inverse_erf_fit<float64>[] = {
    0x1.805c5cfcedef5p+0, 0x1.f91e8993f0d14p-3, -0x1.11c3c302dfe2ep-8, -0x1.4863cdfb61731p-10,
    0x1.c9b437ed29e37p-13, -0x1.4f47fe72f556cp-18, -0x1.ca9227ca60974p-19, 0x1.01037e37f3639p-21,
    0x1.ccff736d518b4p-27, -0x1.752fda4950512p-27, 0x1.f2cbac35b7e5dp-31, 0x1.0704c2c2d897bp-33,
    -0x1.11958436bf899p-35, 0x1.0094bcc70bce1p-40, 0x1.2d8e25eb0812dp-41, -0x1.56d662b13c79ep-44,
    -0x1.a0313539001a1p-49, 0x1.115201ed9a468p-49, -0x1.3927299bf69fbp-53, -0x1.eea7844013f9bp-56,
    0x1.663870736d039p-58, 0x1.90a78400f1c40p-63, -0x1.3de84550fe535p-64,
};
template <> inline constexpr float64 inverse_erf_centre<float64> = 0x1.4000000000000p+1;
template <class T> inline constexpr T inverse_erf_tail1_fit[] = {0};
template <class T> inline constexpr T inverse_erf_tail1_centre = 0;
template <> inline constexpr float32 inverse_erf_tail1_fit<float32>[] = {
    0x1.e94ca60000000p-1f, -0x1.8d0d620000000p-3f, 0x1.de96b80000000p-4f, 0x1.1a53400000000p-1f,
    0x1.48c0140000000p-2f, 0x1.5ef2000000000p+3f, 0x1.3327ba0000000p+5f, -0x1.12c0240000000p+7f,
    -0x1.97958c0000000p+10f, 0x1.94e0540000000p+9f, 0x1.2480660000000p+15f, 0x1.5bdffe0000000p+12f,
    -0x1.0409500000000p+19f, -0x1.5f546a0000000p+16f, 0x1.a59db40000000p+21f,
};
template <> inline constexpr float32 inverse_erf_tail1_centre<float32> = 0x1.165bba0000000p-2f;
template <> inline constexpr float64 inverse_erf_tail1_fit<float64>[] = {
    0x1.e22187b41ef8bp-1, -0x1.4df4b3ea2bc00p-3, 0x1.3ff8f0513819dp-2, 0x1.510ff1539a19cp+0,
    0x1.af2cf08d54a7dp+1, -0x1.b04f261814f63p+2, -0x1.4423ab95ab97ap+6, 0x1.2f84f508b7b17p+7,
    0x1.6798895017ca1p+10, -0x1.47d9cd02d2f28p+12, -0x1.049dcb185c0e4p+14, 0x1.123905f0ab582p+17,
    -0x1.6878a3df77ec1p+16, -0x1.0e8d470c97f5dp+21, 0x1.15c5d8fa0f295p+23, 0x1.018118ceeede7p+22,
    -0x1.406b026489e54p+27, 0x1.37f35d85df64ap+29, 0x1.d618eca255d20p+25, -0x1.92c33fb32413bp+33,
    0x1.6dff78423f504p+35, 0x1.4f0fdc81fb66ep+36, -0x1.34f9f7b9245d3p+39,
};
template <> inline constexpr float64 inverse_erf_tail1_centre<float64> = 0x1.6598ae0000000p-2;
template <class T> inline constexpr T inverse_erf_tail2_fit[] = {0};
template <class T> inline constexpr T inverse_erf_tail2_centre = 0;
template <> inline constexpr float64 inverse_erf_tail2_fit<float64>[] = {
    0x1.f17d5de821516p-1, -0x1.9bf26fcbccc0dp-3, -0x1.2dab7a569e3d1p-5, 0x1.99e97b4b2e0d4p-1,
    -0x1.4d54d03318787p+0, 0x1.18980bba6431bp+1, -0x1.6519b21591b18p+2, 0x1.739e87790081ap+4,
    0x1.0c13866933d33p+5, 0x1.7f951825a749cp+10, 0x1.6654b2bb9be53p+13, 0x1.5e686eb444a06p+15,
    -0x1.2c60f6bacba33p+19, -0x1.0496abed6b057p+23, -0x1.c0133d94b25a5p+22, 0x1.1dd397767fe26p+29,
    0x1.0a1e57a67fed0p+31, -0x1.a589a141c7a65p+34, -0x1.7b0b87396b210p+36, 0x1.66a9dba58bf31p+39,
};
template <> inline constexpr float64 inverse_erf_tail2_centre<float64> = 0x1.8888880000000p-3;
template <class T> inline constexpr T inverse_erf_tail3_fit[] = {0};
template <class T> inline constexpr T inverse_erf_tail3_centre = 0;
template <> inline constexpr float64 inverse_erf_tail3_fit<float64>[] = {
    0x1.fba9511f81670p-1, -0x1.4242104e979afp-3, -0x1.b8a31dd4a8498p-2, 0x1.ef7a2f2e34bcap+0,
    -0x1.725cedd51731cp+2, 0x1.ad88f1511fd4ap+4, -0x1.40c7827fe5f7ep+7, 0x1.0e7380c4b3422p+10,
    -0x1.f15edd58ae07bp+12, 0x1.e7e8c20c09d96p+15, -0x1.f5fc3517ab2a7p+18, 0x1.0c588bf2ca6fbp+22,
    -0x1.2e2a580539100p+25, 0x1.5a2411f513fe6p+28, -0x1.461a34657bdf9p+31, 0x1.5d24f280bf8b9p+34,
    -0x1.f98123216c5a9p+38, 0x1.607fd25e77f6bp+42, 0x1.30626b673c64dp+45, -0x1.00f2fb9d50688p+49,
    -0x1.64283a2d29986p+53, 0x1.ecb8e587213f6p+56,
};
template <> inline constexpr float64 inverse_erf_tail3_centre<float64> = 0x1.5bcfaa0000000p-4;
template <class T> inline constexpr T gamma_fit[] = {0};
template <> inline constexpr float32 gamma_fit<float32>[] = {
    0x1.0000000000000p+0f, 0x1.b0ee600000000p-2f, 0x1.a5b96a0000000p-2f, 0x1.4e23da0000000p-4f,
    0x1.3027140000000p-4f, -0x1.1d97d20000000p-12f, 0x1.6af7a00000000p-7f, -0x1.6f92e00000000p-9f,
    0x1.406f860000000p-9f, -0x1.21d2a00000000p-10f,
};
template <> inline constexpr float64 gamma_fit<float64>[] = {
    0x1.0000000000000p+0, 0x1.b0ee6072093c8p-2, 0x1.a5b978b96bed0p-2, 0x1.4e23998466911p-4,
    0x1.301fbb0f236c1p-4, -0x1.17f3747ab5848p-12, 0x1.6d7eeacd7a8cbp-7, -0x1.75e6e75bede7dp-9,
    0x1.13c448581a92cp-9, -0x1.e21f8e92d307ep-11, 0x1.011b280cb5464p-11, -0x1.f93882949921dp-13,
    0x1.fe3e584dafd42p-14, -0x1.ffa9c4d2902ffp-15, 0x1.007ec9167781dp-15, -0x1.e718a95460917p-17,
    0x1.e43c064a2493cp-18, -0x1.5aded2b6ce39ap-18, 0x1.60891f48fff75p-19,
};
template <class T> inline constexpr T log_gamma_fit[] = {0};
template <> inline constexpr float32 log_gamma_fit<float32>[] = {
    0x1.b0ee600000000p-2f, 0x1.4a34cc0000000p-2f, -0x1.13dffc0000000p-4f, 0x1.51359e0000000p-6f,
    -0x1.e40f800000000p-8f, 0x1.7955660000000p-9f, -0x1.36dc380000000p-10f, 0x1.2b06aa0000000p-11f,
    -0x1.0a31860000000p-12f,
};
template <> inline constexpr float64 log_gamma_fit<float64>[] = {
    0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa7p-2, -0x1.13e001a55760ap-4, 0x1.51322ac7d7fc5p-6,
    -0x1.e404fc218db6cp-8, 0x1.7add6eae5cf8dp-9, -0x1.38ac5c2d4aca0p-10, 0x1.0b36af3396a97p-11,
    -0x1.d3fd4b65e5384p-13, 0x1.a127dd5e6d560p-14, -0x1.78de9b06ae47ap-15, 0x1.5806d073ccafbp-16,
    -0x1.3cb3b5c95906ep-17, 0x1.26411ef9939a3p-18, -0x1.12777153bc37ap-19, 0x1.edea6fb5168a4p-21,
    -0x1.ce0e6a1fe0060p-22, 0x1.2b5bff4d053adp-22, -0x1.20199b12eaae9p-23,
};
template <class T> inline constexpr T stirling_fit[] = {0};
template <> inline constexpr float32 stirling_fit<float32>[] = {
    0x1.5555560000000p-4f, -0x1.6c141a0000000p-9f, 0x1.98f8120000000p-11f,
};
template <> inline constexpr float64 stirling_fit<float64>[] = {
    0x1.5555555555555p-4, -0x1.6c16c16c14a76p-9, 0x1.a01a017e2d3d3p-11, -0x1.38134db2f9c9ep-11,
    0x1.b92c63c3424dcp-11, -0x1.ef92c057f9c65p-10, 0x1.4c1bf975f0773p-8,
};
template <class T> inline constexpr T digamma_fit[] = {0};
template <class T> inline constexpr T digamma_centre = 0;
template <> inline constexpr float32 digamma_fit<float32>[] = {
    0x1.e6f0cc0000000p-1f, -0x1.b1cb680000000p-2f, 0x1.eca1a20000000p-3f, -0x1.2febb00000000p-3f,
    0x1.850a7c0000000p-4f, -0x1.fc5fee0000000p-5f, 0x1.4f02c80000000p-5f, -0x1.a65cb80000000p-6f,
    0x1.150a300000000p-6f, -0x1.0c7f580000000p-6f, 0x1.7014300000000p-7f,
};
template <> inline constexpr float32 digamma_centre<float32> = 0x1.8000000000000p+0f;
template <> inline constexpr float64 digamma_fit<float64>[] = {
    0x1.e6f0cbb873616p-1, -0x1.b1cb63005ee98p-2, 0x1.eca189b8e6f7bp-3, -0x1.2feeeb98a78cbp-3,
    0x1.8512e59037ebbp-4, -0x1.fb44202a259cep-5, 0x1.4de9aa1802de8p-5, -0x1.b9f8b11b2f98ep-6,
    0x1.25647156391a7p-6, -0x1.8635641765f08p-7, 0x1.03c0b2b60f6f7p-7, -0x1.5a06a23d62223p-8,
    0x1.cd1f26d55994ep-9, -0x1.336df991b5f25p-9, 0x1.99e1aca26565dp-10, -0x1.0fb126d4c2892p-10,
    0x1.69ba8fdd1d52cp-11, -0x1.fdacdb7508852p-12, 0x1.56c5b73aaffa6p-12, -0x1.2f41994664278p-13,
    0x1.80260c257a44fp-14, -0x1.761380b8f00cep-13, 0x1.00b98a8f0aa04p-13,
};
template <> inline constexpr float64 digamma_centre<float64> = 0x1.8000000000000p+0;
template <class T> inline constexpr T digamma_tail_fit[] = {0};
template <> inline constexpr float32 digamma_tail_fit<float32>[] = {
    0x1.5555560000000p-4f, -0x1.110c780000000p-7f, 0x1.fbbb8c0000000p-9f,
};
template <> inline constexpr float64 digamma_tail_fit<float64>[] = {
    0x1.5555555555555p-4, -0x1.1111111110d63p-7, 0x1.041041019fb6ep-8, -0x1.11110c1edcb59p-8,
    0x1.f0772b33c9bfap-8, -0x1.58e7844063732p-6, 0x1.47d1d168b34acp-4, -0x1.32cfc4f5c472ep-2,
};
template <class T> inline constexpr T bessel0_fit[] = {0};
template <> inline constexpr float32 bessel0_fit<float32>[] = {
    0x1.0000000000000p+0f, 0x1.0000000000000p-2f, 0x1.fffffe0000000p-7f, 0x1.c71c840000000p-12f,
    0x1.c71bca0000000p-18f, 0x1.2349140000000p-24f, 0x1.02ce200000000p-31f, 0x1.531fd20000000p-39f,
    0x1.4c356e0000000p-47f, 0x1.23626e0000000p-55f, 0x1.b79ec80000000p-65f, 0x1.5d6ddc0000000p-72f,
};
template <> inline constexpr float64 bessel0_fit<float64>[] = {
    0x1.0000000000000p+0, 0x1.0000000000000p-2, 0x1.0000000000002p-6, 0x1.c71c71c71c6dfp-12,
    0x1.c71c71c71cbebp-18, 0x1.23456789a82b6p-24, 0x1.02e85c08d2b69p-31, 0x1.522a43f14ed5bp-39,
    0x1.522a44465db87p-47, 0x1.0b312ee0b62c8p-55, 0x1.5601c817fb294p-64, 0x1.69c761327b691p-73,
    0x1.41b6d2a3ef29ep-82, 0x1.e56ec2a042a81p-92, 0x1.46a6fe00cd6ffp-101, 0x1.31c4039a69bf6p-111,
    0x1.20de50ee937a2p-120,
};
template <class T> inline constexpr T bessel1_fit[] = {0};
template <> inline constexpr float32 bessel1_fit<float32>[] = {
    0x1.0000000000000p-1f, 0x1.0000000000000p-4f, 0x1.55555e0000000p-9f, 0x1.c71bf80000000p-15f,
    0x1.6c1a8e0000000p-21f, 0x1.8439740000000p-28f, 0x1.28ae440000000p-35f, 0x1.4c67a80000000p-43f,
    0x1.476f180000000p-51f, 0x1.1334100000000p-60f, 0x1.e0ce3e0000000p-68f,
};
template <> inline constexpr float64 bessel1_fit<float64>[] = {
    0x1.0000000000000p-1, 0x1.0000000000001p-4, 0x1.5555555555540p-9, 0x1.c71c71c71c9f2p-15,
    0x1.6c16c16c13a31p-21, 0x1.845c8a0d2769ep-28, 0x1.27e4fb73ec47ep-35, 0x1.522a443bfc5e8p-43,
    0x1.2c97551e62e0ap-51, 0x1.ab8235081a452p-60, 0x1.f172556758d22p-69, 0x1.e29108846b664p-78,
    0x1.8a6efe52fa2efp-87, 0x1.1dc64f2e4590cp-96, 0x1.1ebc3216bf4cfp-106, 0x1.20ebdb99edb53p-115,
};
template <class T> inline constexpr T bessel0_tail_fit[] = {0};
template <class T> inline constexpr T bessel0_tail_centre = 0;
template <> inline constexpr float32 bessel0_tail_fit<float32>[] = {
    0x1.9bd4280000000p-2f, 0x1.b8798a0000000p-5f, 0x1.1dab080000000p-5f, 0x1.74dca00000000p-5f,
    0x1.8c3de60000000p-4f, 0x1.8569280000000p-2f, 0x1.d2c64a0000000p+0f,
};
template <> inline constexpr float32 bessel0_tail_centre<float32> = 0x1.0000000000000p-4f;
template <> inline constexpr float64 bessel0_tail_fit<float64>[] = {
    0x1.9bd428ad249a5p-2, 0x1.b87969bb93b86p-5, 0x1.1daa72b5e2bd7p-5, 0x1.75e5ee7193c9bp-5,
    0x1.8e513a708989ep-4, 0x1.3f49a7d62b2a7p-2, 0x1.7d0f1670e44e2p+0, 0x1.51ce71adfb8dcp+3,
    0x1.7232c4c122295p+6, 0x1.0393c5c549066p+9, -0x1.cfb20ddb53edep+12, -0x1.ccba1604bc157p+17,
    -0x1.7369bf37c026dp+20, 0x1.03813921d363bp+25, 0x1.fe9e1dd494c83p+28, -0x1.e1db3b1fc3ea4p+31,
    -0x1.99204d1a8bb30p+36, 0x1.a1d63d6d8235fp+38, 0x1.f3ff264907758p+43, -0x1.3a3b59d669595p+45,
    -0x1.bd05a336c6a58p+50, 0x1.4ffe43b34b0cap+51, 0x1.f741903e631b4p+56, -0x1.646da6611912bp+56,
    -0x1.0adb754ca8b1dp+62,
};
template <> inline constexpr float64 bessel0_tail_centre<float64> = 0x1.0000000000000p-4;
template <class T> inline constexpr T bessel1_tail_fit[] = {0};
template <class T> inline constexpr T bessel1_tail_centre = 0;
template <> inline constexpr float32 bessel1_tail_fit<float32>[] = {
    0x1.8ebe780000000p-2f, -0x1.3f796a0000000p-3f, -0x1.cbc60a0000000p-5f, -0x1.f773140000000p-5f,
    -0x1.ea14840000000p-4f, -0x1.c4153a0000000p-2f, -0x1.0790ba0000000p+1f,
};
template <> inline constexpr float32 bessel1_tail_centre<float32> = 0x1.0000000000000p-4f;
template <> inline constexpr float64 bessel1_tail_fit<float64>[] = {
    0x1.8ebe783a84030p-2, -0x1.3f796198ee62dp-3, -0x1.cbc54df1e92e0p-5, -0x1.f89c230615615p-5,
    -0x1.ec8e106de0a2fp-4, -0x1.76137f7ae6917p-2, -0x1.ad8d53e613985p+0, -0x1.727a1058f659fp+3,
    -0x1.918f9f9793789p+6, -0x1.21936a1ea1c23p+9, 0x1.cec9f53b94527p+12, 0x1.e236784650fb0p+17,
    0x1.9a8f6afc3dd3dp+20, -0x1.069735b018307p+25, -0x1.0f0aac74a7f0dp+29, 0x1.d6e5e5ac6b3a2p+31,
    0x1.acff7707fcc47p+36, -0x1.8b794674af086p+38, -0x1.04c48e6f24f30p+44, 0x1.23214d692a95ep+45,
    0x1.cf243016f9c30p+50, -0x1.341e6ffaf59f6p+51, -0x1.059e6bcc892fep+57, 0x1.45b8aea87b94bp+56,
    0x1.1556db352e8eap+62,
};
template <> inline constexpr float64 bessel1_tail_centre<float64> = 0x1.0000000000000p-4;
// clang-format on

} // namespace usmtensor
