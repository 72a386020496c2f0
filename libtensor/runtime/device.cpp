#include "device.hpp"

#include "gate.hpp"
#include "translate.hpp"

#include <sycl/aspects.hpp>
#include <sycl/device.hpp>
#include <sycl/device_selector.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <regex>
#include <string_view>
#include <utility>

namespace usmtensor {

namespace {

namespace query = sycl::info::device;

template <class T> using Row = std::pair<std::string_view, T>;

template <class... Rows> constexpr auto table(const Rows &...rows) { return std::array{rows...}; }

// The row of a name. The error for an unknown name is `before`, the name, and `after`.
template <class Table>
const auto &find_row(const Table &rows, const std::string &name, const char *before,
                     const char *after) {
  for (const auto &row : rows)
    if (row.first == name)
      return row;
  throw Error(ErrorKind::value, before + ("'" + name) + "' " + after);
}

// --- information -------------------------------------------------------------------------------

Info answer(bool value) { return value; }
Info answer(const std::string &value) { return value; }
Info answer(sycl::info::global_mem_cache_type value) { return static_cast<std::int64_t>(value); }
template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
Info answer(Integer value) {
  return static_cast<std::int64_t>(value);
}
Info answer(const std::vector<std::size_t> &values) {
  return std::vector<std::int64_t>(values.begin(), values.end());
}
template <int dimensions> Info answer(const sycl::range<dimensions> &range) {
  std::vector<std::int64_t> extents;
  for (int i = 0; i < dimensions; ++i)
    extents.push_back(static_cast<std::int64_t>(range[i]));
  return extents;
}

template <class Query> Info ask(const sycl::device &device) {
  return answer(device.get_info<Query>());
}

using InfoRow = Row<Info (*)(const sycl::device &)>;
using AspectRow = Row<sycl::aspect>;

#define INFO(name) InfoRow(#name, ask<query::name>)
#define WIDTHS(type) INFO(preferred_vector_width_##type), INFO(native_vector_width_##type)
#define ASPECT(name) AspectRow(#name, sycl::aspect::name)

// sub_group_independent_forward_progress is deprecated without a successor.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
constexpr auto info_rows = table(
    INFO(name), INFO(vendor), INFO(driver_version), INFO(max_compute_units),
    INFO(max_work_group_size), INFO(max_num_sub_groups), INFO(sub_group_sizes),
    INFO(sub_group_independent_forward_progress), INFO(max_clock_frequency),
    INFO(max_mem_alloc_size), INFO(global_mem_size), INFO(local_mem_size),
    INFO(global_mem_cache_type), INFO(global_mem_cache_size), INFO(global_mem_cache_line_size),
    INFO(partition_max_sub_devices), INFO(profiling_timer_resolution), INFO(max_read_image_args),
    INFO(max_write_image_args), InfoRow("max_work_item_dims", ask<query::max_work_item_dimensions>),
    InfoRow("max_work_item_sizes", ask<query::max_work_item_sizes<3>>),
    InfoRow("max_work_item_sizes1d", ask<query::max_work_item_sizes<1>>),
    InfoRow("max_work_item_sizes2d", ask<query::max_work_item_sizes<2>>),
    InfoRow("max_work_item_sizes3d", ask<query::max_work_item_sizes<3>>),
    InfoRow("image_2d_max_width", ask<query::image2d_max_width>),
    InfoRow("image_2d_max_height", ask<query::image2d_max_height>),
    InfoRow("image_3d_max_width", ask<query::image3d_max_width>),
    InfoRow("image_3d_max_height", ask<query::image3d_max_height>),
    InfoRow("image_3d_max_depth", ask<query::image3d_max_depth>), WIDTHS(char), WIDTHS(short),
    WIDTHS(int), WIDTHS(long), WIDTHS(float), WIDTHS(double), WIDTHS(half));
#pragma GCC diagnostic pop
constexpr auto aspect_rows =
    table(ASPECT(cpu), ASPECT(gpu), ASPECT(accelerator), ASPECT(custom), ASPECT(fp16), ASPECT(fp64),
          ASPECT(atomic64), ASPECT(image), ASPECT(online_compiler), ASPECT(online_linker),
          ASPECT(queue_profiling), ASPECT(usm_device_allocations), ASPECT(usm_host_allocations),
          ASPECT(usm_shared_allocations), ASPECT(usm_system_allocations),
          ASPECT(usm_atomic_host_allocations), ASPECT(usm_atomic_shared_allocations),
          ASPECT(host_debuggable), ASPECT(emulated));

const AspectRow &aspect_row(const std::string &name) {
  return find_row(aspect_rows, name, "", "is no device aspect");
}

// Whether a device has an aspect; tests hide some.
bool has(const sycl::device &device, const AspectRow &row) {
  static const std::string hidden = [] {
    const char *text = std::getenv("USMTENSOR_TEST_HIDE");
    return text ? "," + std::string(text) + "," : std::string();
  }();
  return hidden.find("," + std::string(row.first) + ",") == std::string::npos &&
         device.has(row.second);
}

// --- filter strings ----------------------------------------------------------------------------

const char *name(DeviceType type) {
  static constexpr const char *names[] = {"",    "all",    "accelerator", "automatic",
                                          "cpu", "custom", "gpu"};
  return names[static_cast<int>(type)];
}

struct Filter {
  Backend backend;
  DeviceType type;
  std::optional<std::size_t> number;
};

// The values that a word of a filter string names; all if the word is missing.
template <class Enum> Enum named(const std::string &word) {
  auto value = static_cast<int>(Enum::all);
  while (!word.empty() && word != name(static_cast<Enum>(value)))
    ++value;
  return static_cast<Enum>(value);
}

// nullopt if the text has not the form backend:type:number with any part left out.
std::optional<Filter> parse_filter(const std::string &text) {
  const std::regex form("(?!:)(cuda|hip|level_zero|opencl)?"
                        "((^|:)(accelerator|cpu|custom|gpu))?((^|:)([0-9]{1,6}))?");
  std::smatch part;
  if (text.empty() || !std::regex_match(text, part, form))
    return std::nullopt;
  Filter filter{named<Backend>(part[1]), named<DeviceType>(part[4]), std::nullopt};
  if (part[7].matched)
    filter.number = std::stoul(part[7]);
  return filter;
}

// The parts between commas, in lower case.
std::vector<std::string> alternatives(const std::string &text) {
  std::vector<std::string> parts(1);
  for (const unsigned char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += static_cast<char>(std::tolower(c));
  return parts;
}

DeviceType type_of(const sycl::device &device) {
  return device.is_cpu()           ? DeviceType::cpu
         : device.is_gpu()         ? DeviceType::gpu
         : device.is_accelerator() ? DeviceType::accelerator
                                   : DeviceType::custom;
}

bool matches(const sycl::device &device, Backend backend, DeviceType type) {
  return (backend == Backend::all || backend == translated(device.get_backend())) &&
         (type == DeviceType::all || type == DeviceType::automatic || type == type_of(device));
}

std::vector<sycl::device> root_devices(Backend backend, DeviceType type) {
  query_platforms();
  std::vector<sycl::device> found;
  for (const sycl::device &device : sycl::device::get_devices())
    if (matches(device, backend, type))
      found.push_back(device);
  return found;
}

// The place of a device in a list, or an Error of kind value.
std::size_t place_in(const std::vector<sycl::device> &list, const sycl::device &device,
                     const char *otherwise) {
  const auto found = std::find(list.begin(), list.end(), device);
  if (found == list.end())
    throw Error(ErrorKind::value, otherwise);
  return static_cast<std::size_t>(found - list.begin());
}

std::string present_devices() {
  std::string text;
  for (const DeviceRef &device : devices())
    text += (text.empty() ? "" : ", ") + filter_string(device, true, true);
  return text.empty() ? "there is no device" : "there are: " + text;
}

// The root devices, the best first. The runtime's scores change when another library registers its
// kernels, so the process keeps the order of the first call.
const std::vector<sycl::device> &ranked_devices() {
  static std::mutex &mutex = *new std::mutex;
  static auto &ranked = *new std::vector<sycl::device>;
  const Passage passage;
  std::lock_guard<std::mutex> lock(mutex);
  if (ranked.empty()) {
    query_platforms();
    try {
      for (;;) // the runtime's selector prefers one backend if two offer one device
        ranked.emplace_back([](const sycl::device &device) {
          const bool found = std::find(ranked.begin(), ranked.end(), device) != ranked.end();
          return found ? -1 : sycl::default_selector_v(device);
        });
    } catch (const sycl::exception &) { // none is left
    }
  }
  return ranked;
}

// The best of the devices that a predicate admits, null if there is none.
template <class Predicate> DeviceRef best_device(Predicate admits) {
  const std::vector<sycl::device> &ranked = ranked_devices();
  const auto best = std::find_if(ranked.begin(), ranked.end(), admits);
  return best == ranked.end() ? nullptr : std::make_shared<sycl::device>(*best);
}

template <sycl::info::partition_property property, class Division>
std::vector<DeviceRef> parts_of(const DeviceRef &device, const Division &division) {
  return translated(ErrorKind::sub_device_creation,
                    [&] { return handles(device->create_sub_devices<property>(division)); });
}

} // namespace

std::vector<DeviceRef> devices(Backend backend, DeviceType type) {
  return handles(root_devices(backend, type));
}

DeviceRef default_device() {
  return translated(ErrorKind::device_creation, [] {
    if (DeviceRef device = best_device([](const sycl::device &) { return true; }))
      return device;
    throw Error(ErrorKind::device_creation, "there is no SYCL device");
  });
}

DeviceRef select_device(const std::string &text) {
  return translated(ErrorKind::device_creation, [&]() -> DeviceRef {
    for (const std::string &alternative : alternatives(text)) {
      const std::optional<Filter> filter = parse_filter(alternative);
      if (!filter)
        throw Error(ErrorKind::device_creation,
                    "filter string '" + text +
                        "' is not understood: expected backend:type:number with any part left out, "
                        "backend one of cuda, hip, level_zero, opencl, type one of accelerator, "
                        "cpu, custom, gpu");
      if (filter->number) {
        const std::vector<DeviceRef> found = devices(filter->backend, filter->type);
        if (*filter->number < found.size())
          return found[*filter->number];
      } else if (DeviceRef device = best_device([&](const sycl::device &candidate) {
                   return matches(candidate, filter->backend, filter->type);
                 })) {
        return device;
      }
    }
    throw Error(ErrorKind::device_creation,
                "no device matches the filter string '" + text + "'; " + present_devices());
  });
}

DeviceRef select_device(const std::vector<std::string> &required,
                        const std::vector<std::string> &excluded) {
  return translated(ErrorKind::device_creation, [&] {
    std::vector<std::pair<AspectRow, bool>> wanted;
    std::string text;
    for (const bool present : {true, false})
      for (const std::string &name : present ? required : excluded) {
        wanted.emplace_back(aspect_row(name), present);
        text += (present ? " " : " not-") + name;
      }
    if (DeviceRef device = best_device([&](const sycl::device &candidate) {
          return std::all_of(wanted.begin(), wanted.end(), [&](const auto &aspect) {
            return has(candidate, aspect.first) == aspect.second;
          });
        }))
      return device;
    throw Error(ErrorKind::device_creation, "no device has the requested aspects (" +
                                                text.substr(text.empty() ? 0 : 1) + "); " +
                                                present_devices());
  });
}

Backend backend(const DeviceRef &device) { return translated(device->get_backend()); }

DeviceType device_type(const DeviceRef &device) { return type_of(*device); }

int default_selector_score(const DeviceRef &device) { return sycl::default_selector_v(*device); }

Info info(const DeviceRef &device, const std::string &name) {
  const InfoRow &row = find_row(info_rows, name, "", "is no device information");
  try {
    return row.second(*device);
  } catch (const sycl::exception &) {
    return std::monostate(); // this backend does not support the query
  }
}

bool has_aspect(const DeviceRef &device, const std::string &name) {
  return has(*device, aspect_row(name));
}

std::string filter_string(const DeviceRef &device, bool with_backend, bool with_type) {
  const Backend backend = with_backend ? usmtensor::backend(device) : Backend::all;
  const DeviceType type = with_type ? type_of(*device) : DeviceType::all;
  const std::size_t place =
      place_in(root_devices(backend, type), *device, "a sub-device has no filter string");
  std::string text;
  if (with_backend)
    text += usmtensor::name(backend) + std::string(":");
  if (with_type)
    text += name(type) + std::string(":");
  return text + std::to_string(place);
}

std::size_t device_id(const DeviceRef &device) {
  return place_in(root_devices(Backend::all, DeviceType::all), *root(device),
                  "the device is not among the devices of this process");
}

DeviceRef parent(const DeviceRef &device) {
  if (device->get_info<query::partition_type_property>() ==
      sycl::info::partition_property::no_partition)
    return nullptr;
  return std::make_shared<sycl::device>(device->get_info<query::parent_device>());
}

DeviceRef root(const DeviceRef &device) {
  DeviceRef result = device;
  while (DeviceRef next = parent(result))
    result = next;
  return result;
}

using sycl::info::partition_property;

std::vector<DeviceRef> partition_equally(const DeviceRef &device, std::size_t compute_units) {
  return parts_of<partition_property::partition_equally>(device, compute_units);
}

std::vector<DeviceRef> partition_by_counts(const DeviceRef &device,
                                           const std::vector<std::size_t> &compute_units) {
  return parts_of<partition_property::partition_by_counts>(device, compute_units);
}

std::vector<DeviceRef> partition_by_affinity(const DeviceRef &device, const std::string &domain) {
  using Domain = sycl::info::partition_affinity_domain;
#define AFFINITY(name) Row<Domain>(#name, Domain::name)
  static constexpr auto rows =
      table(AFFINITY(numa), AFFINITY(L1_cache), AFFINITY(L2_cache), AFFINITY(L3_cache),
            AFFINITY(L4_cache), AFFINITY(next_partitionable));
  const auto &row = find_row(rows, domain, "partition ",
                             "is not understood: expected numa, L1_cache, L2_cache, L3_cache, "
                             "L4_cache or next_partitionable");
  return parts_of<partition_property::partition_by_affinity_domain>(device, row.second);
}

bool equal(const DeviceRef &a, const DeviceRef &b) { return *a == *b; }

std::size_t hash(const DeviceRef &device) { return std::hash<sycl::device>()(*device); }

DeviceRef adopt_device(const void *device) {
  return std::make_shared<sycl::device>(*static_cast<const sycl::device *>(device));
}

} // namespace usmtensor
